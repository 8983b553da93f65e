import type { EngineOptions } from '../config.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import { withDeadline } from './server-calls.ts';

/** The same model, each of whose calls ends with its time limit or the caller's signal, also where the model heeds neither. @throws TIMEOUT, ABORTED */
export function timelyEmbedding(model: EmbeddingModel, { recallMs, indexMs }: EngineOptions['deadlines']): EmbeddingModel {
  return {
    ...model,
    embed: (texts, purpose, signal) =>
      withDeadline('embedding', purpose === 'query' ? recallMs : indexMs, signal, (stop) => model.embed(texts, purpose, stop)),
  };
}
