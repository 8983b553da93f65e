import type { Context, ContextItem } from 'tandem-memory';
import { counted } from './counted.ts';
import { bar, painter, printable, printableLine, type Terminal, wrap } from './terminal.ts';

const MAX_WIDTH = 110;
const METER_WIDTH = 30;
/** Column in which the text of a labelled line begins. */
const LABEL_WIDTH = 8;
const INDENT = '    ';
const OMITTED_SHOWN = 8;

type Painter = ReturnType<typeof painter>;

/** A context for people: each memory with the way that led to it, then what the token budget took and cut. */
export function renderContext(
  context: Context,
  terminal: Pick<Terminal, 'stdout'> & { readonly environment?: Terminal['environment'] },
  options: { readonly explain: boolean; readonly only?: (item: ContextItem) => boolean },
): string {
  const paint = painter(terminal);
  const width = Math.min(terminal.stdout.columns ?? 100, MAX_WIDTH);
  const lines: string[] = [];
  if (context.items.length === 0) lines.push(whyNothing(context));
  for (const item of context.items.filter(options.only ?? (() => true))) {
    lines.push(`${paint('bold', `[${item.citation}]`)} ${paint('cyan', heading(item))}`, wrap(printable(item.text.trim()), width - 6, INDENT));
    if (item.path.length > 0) lines.push(paint('green', labelled('path', pathText(item, options.explain ? context : undefined), width, INDENT)));
    if (options.explain) lines.push(...explanation(item, width).map((line) => paint('dim', line)));
  }
  lines.push('', ...summary(context, options.explain, width, paint));
  for (const reason of context.degraded) lines.push(paint('yellow', labelled('note', reason, width)));
  return `${lines.join('\n')}\n`;
}

function whyNothing({ omitted, tokens }: Context): string {
  const isLeftOut = (reason: Context['omitted'][number]['reason']) => omitted.some((item) => item.reason === reason);
  if (isLeftOut('budget')) return `What was found does not fit into the budget of ${counted(tokens.budget, 'token')}.`;
  if (isLeftOut('top-k')) return 'Memories were found, but none was asked for (--top-k 0).';
  return 'Nothing in this memory matches.';
}

/** `label   text`, further lines under the text. */
function labelled(label: string, text: string, width: number, indent = ''): string {
  const lead = indent + ' '.repeat(LABEL_WIDTH);
  return indent + label.padEnd(LABEL_WIDTH) + wrap(printable(text), width - lead.length, lead).slice(lead.length);
}

function heading(item: ContextItem): string {
  const chunk = placeInDocument(item);
  const parts = [
    [item.localTime, ...ending(item)].join(' '),
    chunk === undefined || item.speaker !== undefined ? (item.speaker ?? (item.kind === 'fact' ? 'fact' : item.role)) : undefined,
    item.sessionId ?? item.sourceId,
    chunk,
  ];
  return printableLine(parts.filter((part) => part !== undefined).join('  '));
}

function ending({ until, outdated }: ContextItem): string[] {
  if (outdated !== undefined) return [`(${outdated.inPart ? 'partly ' : ''}outdated since ${outdated.since.slice(0, 10)})`];
  return until === undefined ? [] : [`(until ${until.slice(0, 10)})`];
}

/** Where in a document a chunk stands: headings, page, lines; undefined where it is none. */
function placeInDocument({ kind, metadata }: ContextItem): string | undefined {
  const { title, section, page, lines } = metadata;
  if (kind === 'fact' || (title === undefined && section === undefined && page === undefined)) return undefined;
  const parts = [section ?? title, page === undefined ? undefined : `page ${page}`, lines === undefined ? undefined : `lines ${lines}`];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** `gate scanners -[decode with]-> skimcode <-[breaks]- tidebase`; with a context also which memory states each step: `(by [3])`. */
function pathText(item: ContextItem, context: Context | undefined): string {
  const [first] = item.path;
  if (first === undefined) return '';
  const cite = (evidence: readonly string[]) => {
    const shown = context?.items.filter((other) => other.evidence.some((id) => evidence.includes(id))).map((other) => `[${other.citation}]`) ?? [];
    if (context === undefined) return '';
    return shown.length > 0 ? ` (by ${shown.join(', ')})` : ` (by ${evidence.map(shortId).join(', ')})`;
  };
  const steps = item.path.map((hop) => (hop.reversed ? ` <-[${hop.predicate}]- ${hop.to}` : ` -[${hop.predicate}]-> ${hop.to}`) + cite(hop.evidence));
  return first.from + steps.join('');
}

/** Enough of an id to find it in the output of `--json`. */
function shortId(id: string): string {
  return `#${id.slice(0, 8)}`;
}

function explanation(item: ContextItem, width: number): string[] {
  const channels = item.channels.map((channel) => `${channel.channel} #${channel.rank} (${channel.score.toFixed(3)})`);
  const parts = Object.entries(item.parts)
    .filter(([, value]) => Math.abs(value) >= 0.0005)
    .map(([name, value], index) => `${index === 0 ? '' : value < 0 ? '- ' : '+ '}${name} ${(index === 0 ? value : Math.abs(value)).toFixed(3)}`);
  const again = item.evidence.length > 1 && item.kind === 'episode' ? `, said ${item.evidence.length} times` : '';
  const rows: [string, string][] = [
    ['found', channels.length === 0 ? 'beside another memory' : channels.join(', ')],
    ['score', `${item.score.toFixed(3)} = ${parts.join(' ')}`],
    ['size', `${counted(item.tokens, 'token')}${item.shortened === true ? ', cut to fit' : ''}${again}`],
    ...(item.facts.length > 0 ? [['facts', item.facts.join(' | ')] as [string, string]] : []),
  ];
  return rows.map(([label, text]) => labelled(label, text, width, INDENT));
}

function summary(context: Context, explain: boolean, width: number, paint: Painter): string[] {
  const { used, budget, counter, byComponent } = context.tokens;
  const meter = Number.isFinite(budget) ? `${bar(used / Math.max(1, budget), METER_WIDTH)} ${used} of ${budget}` : String(used);
  const counts = new Map<string, number>();
  for (const item of context.omitted) counts.set(item.reason, (counts.get(item.reason) ?? 0) + 1);
  const cut = [...counts].map(([reason, count]) => `${reason} ${count}`);
  const lines = [
    labelled(
      'tokens',
      `${meter} (${counter}), ${counted(context.items.length, 'memory', 'memories')}${cut.length === 0 ? '' : `; left out: ${cut.join(', ')}`}`,
      width,
    ),
    labelled('answer', answer(context.answerability), width),
  ];
  if (!explain) return lines;
  const list = (record: Readonly<Record<string, number>>, format: (value: number) => string) =>
    Object.entries(record)
      .map(([name, value]) => `${name} ${format(value)}`)
      .join(', ');
  lines.push(
    paint('dim', labelled('parts', list(byComponent, String), width)),
    paint(
      'dim',
      labelled(
        'stages',
        list(context.timings, (value) => `${value.toFixed(1)} ms`),
        width,
      ),
    ),
  );
  for (const [index, row] of omittedRows(context, width).entries()) lines.push(paint('dim', (index === 0 ? 'cut' : '').padEnd(LABEL_WIDTH) + row));
  return lines;
}

function answer(answerability: number): string {
  const words = answerability >= 0.65 ? 'likely in this memory' : answerability >= 0.4 ? 'perhaps in this memory' : 'probably not in this memory';
  return `${words} (${answerability.toFixed(2)})`;
}

/** The best of what was left out: a line each, cut at the width. */
function omittedRows(context: Context, width: number): string[] {
  const citations = new Map(context.items.map((item) => [item.id, `[${item.citation}]`]));
  const best = [...context.omitted].sort((a, b) => b.score - a.score);
  const rows = best.slice(0, OMITTED_SHOWN).map((item) => {
    const why =
      item.reason === 'duplicate'
        ? `repeats ${item.duplicateOf === undefined ? 'the prompt' : (citations.get(item.duplicateOf) ?? shortId(item.duplicateOf))}`
        : item.tokens === undefined
          ? item.reason
          : `${item.reason}, ${counted(item.tokens, 'token')}`;
    const lead = `${item.score.toFixed(3)}  ${why.padEnd(20)}  ${shortId(item.id)}  `;
    const room = Math.max(10, width - LABEL_WIDTH - lead.length);
    const letters = [...printable(item.preview)];
    return lead + (letters.length <= room ? letters.join('') : `${letters.slice(0, room - 1).join('')}…`);
  });
  return best.length > OMITTED_SHOWN ? [...rows, `and ${best.length - OMITTED_SHOWN} more; --json lists all`] : rows;
}
