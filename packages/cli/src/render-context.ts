import type { Context, ContextItem } from 'tandem-memory';
import { bar, painter, printable, type Terminal, wrap } from './terminal.ts';

const MAX_WIDTH = 110;
const METER_WIDTH = 30;

/** A context for people: each memory with the way that led to it, then what the token budget took and cut. */
export function renderContext(
  context: Context,
  terminal: Pick<Terminal, 'stdout'> & { readonly environment?: Terminal['environment'] },
  options: { readonly explain: boolean; readonly only?: (item: ContextItem) => boolean },
): string {
  const paint = painter(terminal);
  const width = Math.min(terminal.stdout.columns ?? 100, MAX_WIDTH) - 6;
  const lines: string[] = [];
  if (context.items.length === 0) lines.push('Nothing in this memory matches.');
  for (const item of context.items.filter(options.only ?? (() => true))) {
    lines.push(`${paint('bold', `[${item.citation}]`)} ${paint('cyan', heading(item))}`, wrap(printable(item.text), width, '    '));
    if (item.path.length > 0) lines.push(paint('green', `    path  ${pathText(item)}`));
    if (options.explain) lines.push(paint('dim', `    why   score ${item.score.toFixed(3)}; ${why(item)}; ${item.tokens} tokens`));
    if (options.explain && item.facts.length > 0) lines.push(paint('dim', `    facts ${item.facts.map(printable).join(' | ')}`));
  }
  const { used, budget, counter } = context.tokens;
  const finite = Number.isFinite(budget);
  lines.push('', `tokens ${finite ? `${bar(used / Math.max(1, budget), METER_WIDTH)} ${used} of ${budget}` : used} (${counter})${omitted(context)}`);
  if (options.explain) {
    lines.push(
      paint(
        'dim',
        `parts  ${Object.entries(context.tokens.byComponent)
          .map(([part, tokens]) => `${part} ${tokens}`)
          .join(', ')}`,
      ),
    );
    lines.push(
      paint(
        'dim',
        `stages ${Object.entries(context.timings)
          .map(([stage, ms]) => `${stage} ${ms.toFixed(1)} ms`)
          .join(', ')}`,
      ),
    );
  }
  for (const reason of context.degraded) lines.push(paint('yellow', `note   ${reason}`));
  return `${lines.join('\n')}\n`;
}

function heading(item: ContextItem): string {
  const parts = [item.localTime, item.speaker ?? (item.kind === 'fact' ? 'fact' : item.role), item.sessionId ?? item.sourceId];
  return printable(parts.filter((part) => part !== undefined).join('  '));
}

/** `gate scanners -[decode with]-> skimcode <-[breaks]- tidebase` */
function pathText(item: ContextItem): string {
  const [first] = item.path;
  if (first === undefined) return '';
  const steps = item.path.map((hop) => (hop.reversed ? ` <-[${hop.predicate}]- ${hop.to}` : ` -[${hop.predicate}]-> ${hop.to}`));
  return printable(first.from + steps.join(''));
}

function why(item: ContextItem): string {
  const channels = item.channels.map((channel) => `${channel.channel} #${channel.rank} (${channel.score.toFixed(3)})`);
  return channels.length === 0 ? 'found beside another memory' : channels.join(', ');
}

function omitted(context: Context): string {
  const counts = new Map<string, number>();
  for (const item of context.omitted) counts.set(item.reason, (counts.get(item.reason) ?? 0) + 1);
  const parts = [...counts].map(([reason, count]) => `${reason} ${count}`);
  return `, ${context.items.length} memories${parts.length === 0 ? '' : `; left out: ${parts.join(', ')}`}`;
}
