import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { NativeGate } from './native-gate.ts';
import { WordPieceTokenizer } from './word-piece-tokenizer.ts';

/** What BERT models read at most: question and text together. */
const MAX_TOKENS = 512;
const MAX_QUESTION_TOKENS = 128;

// A worker of model-worker.ts, for cross-encoder.ts. Receives a question with texts, answers with one number a text. An exception ends it.
// The gate comes entered, since loading the model is native code too.
const { folder, gateBuffer } = workerData as { folder: string; gateBuffer: SharedArrayBuffer };
const gate = new NativeGate(gateBuffer);
const tokenizer = WordPieceTokenizer.read(join(folder, 'tokenizer.json'));
const session = await InferenceSession.create(join(folder, 'model.onnx'), { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 });
gate.leave();
const [start = 0, end = 0] = tokenizer.encodeSentence('', 2);

parentPort?.on('message', async ({ question, texts }: { readonly question: string; readonly texts: readonly string[] }) => {
  const first = [start, ...tokenizer.encodeWords(question).slice(0, MAX_QUESTION_TOKENS), end];
  const scores: number[] = [];
  for (const text of texts) {
    const second = [...tokenizer.encodeWords(text).slice(0, MAX_TOKENS - first.length - 1), end];
    const tensor = (values: readonly number[]) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
    const inputs: Readonly<Record<string, Tensor>> = {
      input_ids: tensor([...first, ...second]),
      attention_mask: tensor([...first, ...second].map(() => 1)),
      token_type_ids: tensor([...first.map(() => 0), ...second.map(() => 1)]),
    };
    if (!gate.enter()) return;
    const outputs = await session.run(Object.fromEntries(Object.entries(inputs).filter(([name]) => session.inputNames.includes(name))));
    gate.leave();
    scores.push(relevance(outputs[session.outputNames[0] ?? '']?.data as Float32Array | undefined));
  }
  parentPort?.postMessage(scores);
});

/** One number where the model gives one; of two classes how far the second, "relevant", is above the first. */
function relevance(logits: Float32Array | undefined): number {
  const [one = Number.NaN, two] = logits ?? [];
  return two === undefined ? one : two - one;
}
