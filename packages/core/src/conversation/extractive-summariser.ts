import type { ChatMessage } from '../domain/chat-message.ts';
import { analyseText } from '../domain/text-analysis.ts';
import type { Summariser, SummaryInput } from '../ports/summariser.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { importanceOf } from './importance.ts';
import { shortenText } from './shorten.ts';

interface Line {
  readonly text: string;
  readonly weight: number;
  readonly order: number;
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
/** Results of tools are mostly bulk; what matters of them the assistant has said. */
const TOOL_WEIGHT = 0.4;
const MAX_SENTENCES = 2_000;

/**
 * Summarises without a model: keeps the sentences that weigh most (decisions, constraints, errors, details), word for word, with day and
 * speaker, in their order. Of sentences in the same words ("I walked 5 steps", "I walked 6 steps") the latest counts in full and each one
 * before it less. Lines of the earlier summary compete like any other.
 */
export function extractiveSummariser(counter: TokenCounter): Summariser {
  return {
    id: 'extractive',
    async summarise(input: SummaryInput): Promise<string> {
      const lines = lessRepeated(
        [...earlierLines(input.previous), ...input.messages.flatMap(messageLines)].map((line, order): Line => ({ ...line, order })),
      );
      const kept: Line[] = [];
      let used = 0;
      for (const line of lines.toSorted((a, b) => b.weight - a.weight || b.order - a.order)) {
        const tokens = counter.count(`${line.text}\n`);
        if (used + tokens > input.maxTokens) continue;
        used += tokens;
        kept.push(line);
      }
      const text = (chosen: readonly Line[]) =>
        chosen
          .toSorted((a, b) => a.order - b.order)
          .map((line) => line.text)
          .join('\n');
      // A counter whose parts do not add up to the whole may need a line less.
      while (kept.length > 0 && counter.count(text(kept)) > input.maxTokens) kept.pop();
      const [heaviest] = lines.toSorted((a, b) => b.weight - a.weight);
      return kept.length > 0 || heaviest === undefined ? text(kept) : (shortenText(heaviest.text, input.maxTokens, counter) ?? '');
    },
  };
}

/** The second of one wording weighs half, the third a third: fifty of them must not fill a summary. */
function lessRepeated(lines: readonly Line[]): Line[] {
  const met = new Map<string, number>();
  const counted = lines.toReversed().map((line) => {
    const words = analyseText(said(line.text)).filter((word) => !/\p{N}/u.test(word));
    const wording = words.length === 0 ? line.text : [...new Set(words)].sort().join(' ');
    const times = (met.get(wording) ?? 0) + 1;
    met.set(wording, times);
    return { ...line, weight: line.weight / times };
  });
  return counted.reverse();
}

/** The words of a line, without day and speaker. */
function said(line: string): string {
  return line.replace(/^- (?:\S+ )?[^:]*: /, '');
}

function earlierLines(previous: string | undefined): Omit<Line, 'order'>[] {
  return (previous ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((text) => ({ text, weight: importanceOf(said(text)) }));
}

function messageLines(message: ChatMessage): Omit<Line, 'order'>[] {
  if (message.role === 'system') return [];
  const author = (message.name ?? message.role).replace(/\s+/g, ' ');
  const day = message.at === undefined ? '' : `${message.at.slice(0, 10)} `;
  return [...sentences.segment(message.content)]
    .slice(0, MAX_SENTENCES)
    .map(({ segment }) => segment.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) => ({
      text: `- ${day}${author}: ${sentence}`,
      weight: importanceOf(sentence) * (message.role === 'tool' ? TOOL_WEIGHT : 1),
    }));
}
