export { FixedClock } from './fixed-clock.ts';
export { HashEmbeddingModel } from './hash-embedding-model.ts';
export { type Fault, injectFaults } from './inject-faults.ts';
export { newEpisode } from './new-episode.ts';
export { ScriptedLanguageModel, type ScriptedReply } from './scripted-language-model.ts';
export { withMembers } from './with-members.ts';
