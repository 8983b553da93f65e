import type { Memory } from '@tandem-memory/core';
import { codesIn, type Step, USER } from './work.ts';

const PAGE_SIZE = 500;
/** The indexes' last steps of a killed process may arrive while the next one looks. */
const LOOKS = 3;

/** What one look at the stores found wrong; all empty where nothing is. */
export interface Findings {
  /** Acknowledged and not there. */
  readonly lost: readonly string[];
  /** Forgotten and there. */
  readonly returned: readonly string[];
  /** Records that one store has and the other lacks, links that lead nowhere. */
  readonly drift: readonly string[];
}

/** What an application was told about its memory, and so may rely on. */
export class Ledger {
  readonly #kept = new Set<string>();
  readonly #gone = new Set<string>();
  stored = 0;
  forgotten = 0;

  /** From now on both may be true of what the step forgets. */
  begin({ forgets }: Step): void {
    for (const code of forgets) this.#kept.delete(code);
  }

  end({ stores, forgets }: Step): void {
    for (const code of stores) this.#kept.add(code);
    for (const code of forgets) {
      if (!this.#gone.has(code)) this.forgotten += 1;
      this.#gone.add(code);
    }
    this.stored += stores.length;
  }

  /** Looks at everything that the memory holds, and asks for `asked`, which should not come up. */
  async compare(memory: Memory, asked: readonly string[]): Promise<Findings> {
    const check = await settledCheck(memory);
    const episodes = await all((page) => memory.episodes({ userId: USER }, page));
    const facts = await all((page) => memory.facts({ userId: USER }, page));
    const entities = await all((page) => memory.entities({ userId: USER }, page));
    const there = new Set(episodes.flatMap((episode) => codesIn(episode.content)));
    const told = [...facts.map((fact) => fact.text), ...entities.flatMap((entity) => [entity.name, ...entity.aliases])];
    const answers: string[] = [];
    for (const code of asked) {
      if (!this.#gone.has(code)) continue;
      const { items } = await memory.retrieve(`What is ${code}?`, { userId: USER });
      answers.push(...items.map((item) => item.text));
    }
    const seen = new Set([...there, ...[...told, ...answers].flatMap(codesIn)]);
    const ids = new Set(episodes.map((episode) => episode.id));
    const { missing, orphaned, outbox } = check;
    return {
      lost: [...this.#kept].filter((code) => !there.has(code)),
      returned: [...this.#gone].filter((code) => seen.has(code)),
      drift: [
        ...(missing + orphaned > 0 ? [`doctor: ${missing} missing, ${orphaned} too many`] : []),
        ...(outbox.waiting > 0 ? [`doctor: ${outbox.waiting} waiting`] : []),
        ...facts.filter((fact) => !fact.evidence.every((id) => ids.has(id))).map((fact) => `fact ${fact.id} rests on a turn that is gone`),
      ],
    };
  }
}

async function settledCheck(memory: Memory) {
  for (let look = 1; ; look++) {
    await memory.flush();
    const check = await memory.check();
    if (look === LOOKS || check.missing + check.orphaned + check.outbox.waiting === 0) return check;
  }
}

async function all<Item extends { readonly id: string }>(read: (page: { limit: number; after?: string }) => Promise<Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const after = items.at(-1)?.id;
    const page = await read({ limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) });
    items.push(...page);
    if (page.length < PAGE_SIZE) return items;
  }
}
