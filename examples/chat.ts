import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import { openChat } from 'tandem-memory';

// A chat that remembers: recall -> answer -> remember, in a loop. It answers where a model is set, for example with Ollama:
//   TANDEM_MODEL=qwen3:8b TANDEM_MODEL_BASE_URL=http://localhost:11434/v1 node examples/dist/chat.js my.db
// Without one, `send` gives what it would recall. `tandem chat` is the same with commands.
const { TANDEM_MODEL, TANDEM_MODEL_BASE_URL } = process.env;
const model = TANDEM_MODEL === undefined ? {} : { model: { model: TANDEM_MODEL, baseUrl: TANDEM_MODEL_BASE_URL ?? 'http://localhost:11434/v1' } };
await using chat = await openChat({ path: process.argv[2] ?? ':memory:', ...model }, { userId: 'ana', sessionId: 'example' });

for await (const line of createInterface({ input: stdin })) {
  const turn = chat.send(line);
  let piece = await turn.next();
  for (; piece.done !== true; piece = await turn.next()) stdout.write(piece.value);
  const { answer, recalled, tokens } = piece.value;
  if (answer === undefined) for (const item of recalled?.items ?? []) stdout.write(`  recalled: ${item.text}\n`);
  stdout.write(`\n(${tokens.total} of ${tokens.window} tokens: memory ${tokens.memory}, history ${tokens.history})\n`);
}
