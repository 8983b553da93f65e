import type { Page } from '../ports/graph-store.ts';

const PAGE = 500;

/** Every page of a reading. @param cursor of an item: what the next page begins behind */
export async function readAll<T>(read: (page: Page) => Promise<T[]>, cursor: (item: T) => string): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const last = items.at(-1);
    const page = await read({ limit: PAGE, ...(last === undefined ? {} : { after: cursor(last) }) });
    items.push(...page);
    if (page.length < PAGE) return items;
  }
}
