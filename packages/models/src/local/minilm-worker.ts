import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { NativeGate } from './native-gate.ts';
import { WordPieceTokenizer } from './word-piece-tokenizer.ts';

/** What the model reads at most; its position table in `model.onnx` is cut to the same. */
const MAX_TOKENS = 256;

// A worker of model-worker.ts, for minilm-embedding-model.ts. Receives texts, answers with their vectors one after another in one Float32Array.
// An exception ends it; the other side sees that and starts a new one when it is next needed.
// The gate comes entered, since loading the model is native code too.
const { folder, dimensions, gateBuffer } = workerData as { folder: string; dimensions: number; gateBuffer: SharedArrayBuffer };
const gate = new NativeGate(gateBuffer);
const tokenizer = new WordPieceTokenizer(join(folder, 'tokenizer.json'));
const session = await InferenceSession.create(join(folder, 'model.onnx'), {
  // Measured: a second thread gives a third more on an idle machine, and takes half away on a busy one.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 3,
});
gate.leave();

parentPort?.on('message', async (texts: readonly string[]) => {
  const vectors = new Float32Array(texts.length * dimensions);
  // One text a run: in a batch, int8 activations share one scale, so a text's vector would depend on its neighbours. No slower on a CPU.
  for (const [index, text] of texts.entries()) {
    const ids = tokenizer.encodeSentence(text, MAX_TOKENS);
    const input = new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]);
    if (!gate.enter()) return;
    const { embedding } = await session.run({ input_ids: input });
    gate.leave();
    vectors.set(embedding?.data as Float32Array, index * dimensions);
  }
  parentPort?.postMessage(vectors, [vectors.buffer]);
});
