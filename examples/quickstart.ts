import { openMemory } from 'tandem-memory';

await using memory = await openMemory({ path: process.argv[2] ?? ':memory:' });

await memory.store(
  [
    { role: 'user', content: 'We chose the Maple library for the label printer.', at: '2026-03-02T09:00:00Z' },
    { role: 'user', content: 'Maple crashes on empty pages since version 3.2.', at: '2026-03-09T14:30:00Z' },
  ],
  { userId: 'ana', sessionId: 'printer' },
);

const context = await memory.retrieve('Why could the label printer crash?', { userId: 'ana', budget: 500 });

console.log(context.text); // ready to be put into a prompt, within the budget
for (const item of context.items) console.log(item.citation, item.text, item.path, item.channels);
