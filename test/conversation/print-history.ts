// Prints a conversation as JSON from a process of its own: print-history.ts <sqlite|jsonl> <path> <session>
import { createConversation } from '@tandem-memory/core';
import { CharacterCounter } from '@tandem-memory/models';
import { openStore } from './open-store.ts';

const [kind = '', path = '', sessionId = ''] = process.argv.slice(2);
const opened = openStore(kind, path);
const conversation = createConversation({ userId: 'ada', sessionId, counter: new CharacterCounter(4), store: opened.store });
const result = { history: await conversation.history(), summary: await conversation.summary(), messages: await conversation.messages() };
process.stdout.write(JSON.stringify(result));
opened.close();
