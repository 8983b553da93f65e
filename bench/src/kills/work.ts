import type { Memory, MessageInput } from '@tandem-memory/core';

export const USER = 'ana';
const DOCUMENT = 'depot.md';

/** One call of the application. Each text holds a code word of its own, by which it is found again, or not. */
export interface Step {
  readonly name: string;
  /** Codes that are there once the step is done. */
  readonly stores: readonly string[];
  /** Codes that are nowhere once the step is done. */
  readonly forgets: readonly string[];
  run(memory: Memory): Promise<void>;
}

const CODE = /\bq[td]\d+x\d+\b/g;

export function codesIn(text: string): string[] {
  return text.match(CODE) ?? [];
}

/** The work of one process: every way of storing and of forgetting. What is done twice ends as what is done once. */
export function stepsOf(round: number): Step[] {
  const code = (n: number) => `qt${round}x${n}`;
  const chapter = (n: number) => `qd${n}x0`;
  const talk = { userId: USER, sessionId: `talk ${round}` };
  const side = { userId: USER, sessionId: `side ${round}` };
  const said = (n: number): MessageInput => ({ role: 'user', name: 'Ana', content: `Note ${code(n)}: Marek moved the Kestrel depot to Lindby.` });
  const known = (n: number): MessageInput => ({
    role: 'assistant',
    content: `Marek keeps the crate ${code(n)} in Lindby.`,
    triples: [
      ['Marek', 'keeps', `crate ${code(n)}`],
      [`crate ${code(n)}`, 'stands in', 'Lindby'],
    ],
  });
  return [
    { name: 'store a turn', stores: [code(0)], forgets: [], run: async (memory) => void (await memory.store(said(0), talk)) },
    {
      name: 'store three turns with facts',
      stores: [code(1), code(2), code(3)],
      forgets: [],
      run: async (memory) => void (await memory.store([known(1), known(2), known(3)], side)),
    },
    {
      name: 'replace a document',
      stores: [chapter(round)],
      forgets: Array.from({ length: round }, (_, earlier) => chapter(earlier)),
      run: async (memory) =>
        void (await memory.store({ text: `# Depot\n\nThe gate opens to ${chapter(round)}.`, sourceId: DOCUMENT }, { userId: USER })),
    },
    {
      name: 'forget a turn by its id',
      stores: [],
      forgets: [code(0)],
      run: async (memory) => {
        const ids = (await memory.episodes(talk)).filter((episode) => episode.content.includes(code(0))).map((episode) => episode.id);
        await memory.forget({ userId: USER, ids, compact: false });
      },
    },
    {
      name: 'forget a session beside a store',
      stores: [code(4)],
      forgets: [code(1), code(2), code(3)],
      run: async (memory) => void (await Promise.all([memory.forget({ ...side, compact: false }), memory.store(said(4), talk)])),
    },
    { name: 'store a turn about an entity', stores: [code(5)], forgets: [], run: async (memory) => void (await memory.store(known(5), talk)) },
    {
      name: 'forget an entity',
      stores: [],
      forgets: [code(5)],
      run: async (memory) => void (await memory.forget({ userId: USER, entity: `crate ${code(5)}` })),
    },
    { name: 'store a last turn', stores: [code(6)], forgets: [], run: async (memory) => void (await memory.store(known(6), talk)) },
  ];
}
