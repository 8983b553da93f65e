import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** One turn of a LoCoMo conversation. `id` is the data set's own, e.g. `D3:12`. */
interface LocomoTurn {
  readonly id: string;
  readonly session: number;
  readonly speaker: string;
  /** The words, and what a shared picture shows. */
  readonly text: string;
  readonly at: string;
}

interface LocomoQuestion {
  readonly question: string;
  /** 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial. */
  readonly category: number;
  /** Turns that hold the answer; all exist, each once. */
  readonly evidence: readonly string[];
}

export interface LocomoConversation {
  readonly id: string;
  readonly turns: readonly LocomoTurn[];
  readonly questions: readonly LocomoQuestion[];
}

const turnSchema = z.looseObject({ speaker: z.string(), dia_id: z.string(), text: z.string().optional(), blip_caption: z.string().optional() });
const questionSchema = z.looseObject({ question: z.string(), category: z.number(), evidence: z.array(z.string()).optional() });
const conversationSchema = z.looseObject({ sample_id: z.string(), conversation: z.record(z.string(), z.unknown()), qa: z.array(questionSchema) });

/**
 * Reads the file of the data set. Its faults are mended as documented in docs/benchmarks.md: several evidence ids in one string are split,
 * misspelt ids (`D:11:26`, `D30:05`) are read, ids of no turn are dropped, and a picture's caption counts as part of its turn.
 */
export function readLocomo(path: string): LocomoConversation[] {
  const data: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return z
    .array(conversationSchema)
    .parse(data)
    .map((item) => {
      const turns = sessions(item.conversation).flatMap(({ session, at, list }) =>
        z
          .array(turnSchema)
          .parse(list)
          .map((turn): LocomoTurn => {
            const caption = turn.blip_caption === undefined || turn.blip_caption === '' ? '' : ` [shares ${turn.blip_caption}]`;
            return { id: turn.dia_id, session, speaker: turn.speaker, text: `${turn.text ?? ''}${caption}`.trim(), at };
          }),
      );
      const known = new Set(turns.map((turn) => turn.id));
      return {
        id: item.sample_id,
        turns,
        questions: item.qa.map(({ question, category, evidence = [] }) => ({
          question,
          category,
          evidence: evidenceIds(evidence).filter((id) => known.has(id)),
        })),
      };
    });
}

function sessions(conversation: Readonly<Record<string, unknown>>): { session: number; at: string; list: unknown }[] {
  return Object.keys(conversation)
    .map((key) => /^session_(\d+)$/.exec(key)?.[1])
    .filter((number) => number !== undefined)
    .map(Number)
    .sort((a, b) => a - b)
    .flatMap((session) => {
      const list = conversation[`session_${session}`];
      return Array.isArray(list) ? [{ session, at: sessionTime(String(conversation[`session_${session}_date_time`] ?? '')), list }] : [];
    });
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];

/** `1:56 pm on 8 May, 2023` as ISO 8601. */
function sessionTime(text: string): string {
  const match = /(\d{1,2}):(\d{2})\s*(am|pm) on (\d{1,2}) (\w+),? (\d{4})/i.exec(text);
  if (match === null) throw new Error(`A session has the time "${text}", which is not of the known form.`);
  const [, hour = '0', minute = '0', half = 'am', day = '1', month = '', year = '1970'] = match;
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return new Date(Date.UTC(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day), hours, Number(minute))).toISOString();
}

function evidenceIds(evidence: readonly string[]): string[] {
  const ids = evidence.flatMap((text) => [...text.matchAll(/D:?(\d+):(\d+)/g)].map((match) => `D${Number(match[1])}:${Number(match[2])}`));
  return [...new Set(ids)];
}
