export { MINILM_KEYWORD_WEIGHT, MinilmEmbeddingModel, type MinilmEmbeddingOptions } from './local/minilm-embedding-model.ts';
export { STATIC_KEYWORD_WEIGHT, StaticEmbeddingModel, type StaticEmbeddingOptions } from './local/static-embedding-model.ts';
export type { OpenAiConnection } from './openai/config.ts';
export { OpenAiEmbeddingModel, type OpenAiEmbeddingModelOptions } from './openai/embedding-model.ts';
export { OpenAiLanguageModel, type OpenAiLanguageModelOptions } from './openai/language-model.ts';
export { languageModelReranker } from './reranking/language-model-reranker.ts';
export { rulesExtractor } from './rules/rules-extractor.ts';
export { CharacterCounter } from './tiktoken/character-counter.ts';
export { TiktokenCounter, type TiktokenEncoding } from './tiktoken/tiktoken-counter.ts';
