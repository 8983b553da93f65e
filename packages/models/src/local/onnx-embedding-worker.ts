import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { NativeGate } from './native-gate.ts';
import type { EmbeddingWorkerData } from './onnx-embedding-model.ts';
import { openTokenizer } from './sentence-tokenizer.ts';

// A worker of model-worker.ts, for onnx-embedding-model.ts. Receives texts, answers with their vectors one after another in one Float32Array.
// An exception ends it; the other side sees that and starts a new one when it is next needed.
// The gate comes entered, since loading the model is native code too.
const { model, tokenizer: tokenizerFile, pooling, maxTokens, gateBuffer } = workerData as EmbeddingWorkerData & { gateBuffer: SharedArrayBuffer };
const gate = new NativeGate(gateBuffer);
const tokenizer = openTokenizer(tokenizerFile);
const session = await InferenceSession.create(model, {
  // Measured: a second thread gives a third more on an idle machine, and takes half away on a busy one.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 3,
});
gate.leave();

parentPort?.on('message', async (texts: readonly string[]) => {
  const vectors: Float32Array[] = [];
  // One text a run: in a batch, int8 activations share one scale, so a text's vector would depend on its neighbours. No slower on a CPU.
  for (const text of texts) {
    const ids = tokenizer.encodeSentence(text, maxTokens);
    const tensor = (value: (id: number) => number) =>
      new Tensor(
        'int64',
        BigInt64Array.from(ids, (id) => BigInt(value(id))),
        [1, ids.length],
      );
    const inputs: Readonly<Record<string, () => Tensor>> = {
      input_ids: () => tensor((id) => id),
      attention_mask: () => tensor(() => 1),
      token_type_ids: () => tensor(() => 0),
    };
    const feed = Object.fromEntries(session.inputNames.flatMap((name) => (inputs[name] === undefined ? [] : [[name, inputs[name]()]])));
    if (!gate.enter()) return;
    const outputs = await session.run(feed);
    gate.leave();
    vectors.push(sentenceVector(outputs));
  }
  const answer = new Float32Array(vectors.reduce((length, vector) => length + vector.length, 0));
  let end = 0;
  for (const vector of vectors) {
    answer.set(vector, end);
    end += vector.length;
  }
  parentPort?.postMessage(answer, [answer.buffer]);
});

/**
 * The unit vector of a text: the model's own where it says that it is one, else made of its vectors of the tokens. A single vector beside those
 * is BERT's "pooler", which no training has fitted to sentences.
 */
function sentenceVector(outputs: InferenceSession.OnnxValueMapType): Float32Array {
  const all = session.outputNames.flatMap((name) => outputs[name] ?? []);
  const ofRank = (rank: number) => all.find(({ dims }) => dims.length === rank);
  const output = outputs['sentence_embedding'] ?? ofRank(3) ?? ofRank(2);
  const size = output?.dims.at(-1) ?? 0;
  if (output?.type !== 'float32' || size === 0) throw new Error('the model gives no vectors of float32 numbers');
  const states = output.data as Float32Array;
  const vector = states.slice(0, size);
  if (pooling === 'mean') {
    for (let start = size; start < states.length; start += size)
      for (let i = 0; i < size; i++) vector[i] = (vector[i] ?? 0) + (states[start + i] ?? 0);
  }
  let squares = 0;
  for (const value of vector) squares += value * value;
  const norm = Math.sqrt(squares);
  return norm > 0 ? vector.map((value) => value / norm) : vector;
}
