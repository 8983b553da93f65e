import { describe, expect, it } from 'vitest';
import { MinilmEmbeddingModel } from './minilm-embedding-model.ts';
import { StaticEmbeddingModel } from './static-embedding-model.ts';

describe.each([new MinilmEmbeddingModel(), new StaticEmbeddingModel(), new MinilmEmbeddingModel({ keywordWeight: 0.5 })])('$modelId', (model) => {
  it.each(['Where do I live?', '¿Dónde vivo?', 'BUG-164는?', '', '12:30', '👍', 'What does 你好 mean in English?'])(
    'weighs words as ever: %s',
    (question) => {
      expect(model.keywordWeightFor(question)).toBe(model.keywordWeight);
    },
  );

  it.each(['내가 어디 살지?', '我住在哪里？', 'どこに住んでる？', 'Где я живу?', 'أين أسكن؟', '내 Wi-Fi 비밀번호가 뭐였더라?'])(
    'weighs words more: %s',
    (question) => {
      expect(model.keywordWeightFor(question)).toBe(3 * model.keywordWeight);
    },
  );
});
