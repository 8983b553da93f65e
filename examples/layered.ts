import { type ChatMessage, createConversation, openMemory, TiktokenCounter } from 'tandem-memory';

// Three layers: a window of the newest messages, a rolling summary of what came before, and the long-term memory of everything.
// The sizes are small so that the layers show within a few turns; for production see docs/conversation.md.
await using memory = await openMemory({ path: ':memory:', embedding: 'fast' });
const conversation = createConversation({
  userId: 'ana',
  counter: await TiktokenCounter.load(),
  window: { maxTokens: 300 },
  summary: { triggerTokens: 200, keepTokens: 80, maxTokens: 60 },
  memory,
  archive: { what: 'turns' },
});

const talk: ChatMessage[] = [
  { role: 'system', content: 'You plan trips.' },
  { role: 'user', content: 'I am allergic to shellfish, so no seafood places please.' },
  { role: 'assistant', content: 'Understood: no shellfish, no seafood restaurants.' },
  { role: 'user', content: 'We decided to take the night train to Bergen on 12 May.' },
  { role: 'assistant', content: 'The night train on 12 May it is. It arrives at 7:05.' },
  ...Array.from({ length: 8 }, (_, day): ChatMessage[] => [
    { role: 'user', content: `What could we do on day ${day + 1} if it rains all day?` },
    { role: 'assistant', content: `On day ${day + 1} you could visit a museum and have a long lunch near the harbour.` },
  ]).flat(),
];
for (const message of talk) await conversation.add(message);

const question = 'Which restaurants should I avoid, and why?';
await conversation.add({ role: 'user', content: question });
const { messages, tokens } = await conversation.view();
const recalled = await conversation.recall(question);

console.log(`window and summary: ${tokens.total} tokens, ${messages.length} of ${talk.length + 1} messages`);
for (const message of messages) console.log(`  ${message.role}: ${message.content.replaceAll('\n', '\n    ')}`);
console.log(`long-term memory: ${recalled.tokens.used} tokens`);
for (const item of recalled.items) console.log(`  ${item.score.toFixed(2)} ${item.text}`);
