export { FixedClock } from './fixed-clock.ts';
export { HashEmbeddingModel } from './hash-embedding-model.ts';
export { type ScriptedReply, ScriptedLanguageModel } from './scripted-language-model.ts';
