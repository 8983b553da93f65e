import type { ChatTokens, ChatTurn } from 'tandem-memory';
import { renderContext } from '../render-context.ts';
import { bar, painter, type Terminal } from '../terminal.ts';

const METER_WIDTH = 20;

/** What stands under an answer; without a model, what would have been recalled for one. */
export function renderTurn(turn: ChatTurn, terminal: Terminal): string {
  const paint = painter(terminal);
  const lines: string[] = [];
  if (turn.answer === undefined && turn.recalled !== undefined) lines.push(renderContext(turn.recalled, terminal, { explain: false }).trimEnd());
  lines.push(paint('dim', meter(turn.tokens)));
  if (turn.answer !== undefined && turn.recalled !== undefined && turn.recalled.items.length > 0) {
    lines.push(paint('dim', `memory ${turn.recalled.items.length} recalled; /why shows them`));
  }
  for (const reason of turn.degraded) lines.push(paint('yellow', `note   ${reason}`));
  return `${lines.join('\n')}\n`;
}

function meter(tokens: ChatTokens): string {
  const { total, window, ...parts } = tokens;
  const list = Object.entries(parts).map(([part, count]) => `${part} ${count}`);
  return `tokens ${bar(total / window, METER_WIDTH)} ${total} of ${window}: ${list.join(', ')}`;
}
