const TITLE_LENGTH = 60;

/** A short text for Neo4j Browser, which writes `name` or `title` on a node. */
export function titleOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  const letters = [...line.slice(0, 4 * TITLE_LENGTH)];
  return letters.length > TITLE_LENGTH ? `${letters.slice(0, TITLE_LENGTH - 1).join('')}…` : line;
}
