// Writes messages into a conversation from a process of its own: write-messages.ts <sqlite|jsonl> <path> <name> <count>
import { createConversation } from '@tandem-memory/core';
import { CharacterCounter } from '@tandem-memory/models';
import { openStore } from './open-store.ts';

const [kind = '', path = '', name = '', count = ''] = process.argv.slice(2);
const opened = openStore(kind, path);
const conversation = createConversation({ userId: 'ada', sessionId: 'shared', counter: new CharacterCounter(4), store: opened.store });
for (let index = 0; index < Number(count); index++) {
  await conversation.add([
    { role: 'user', content: `${name} asks ${index}` },
    { role: 'assistant', content: `${name} answers ${index}` },
  ]);
}
opened.close();
