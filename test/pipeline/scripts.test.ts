import { describe, expect, it } from 'vitest';
import { ConstantEmbeddingModel, openTestMemory } from './open-test-memory.ts';

const USER = { userId: 'u' };

describe('keywords alone find', () => {
  it.each<readonly [script: string, texts: readonly string[], questions: Readonly<Record<string, number>>]>([
    [
      'Chinese with Latin words',
      ['Docker部署在NAS上', '用Python写爬虫', '我有一只猫', '我有一条狗'],
      { nas: 0, 'docker 部署': 0, docker部署: 0, python爬虫: 1, 猫: 2, '狗？': 3 },
    ],
    [
      'Japanese in any width and kana',
      ['ﾊﾅｺはｶﾒﾗを買った', 'りんごが好き', '設定はconfig.yamlにある', '犬が嫌い'],
      { カメラ: 0, ハナコ: 0, リンゴ: 1, 'config.yaml': 2, 犬: 3 },
    ],
    ['Korean with Latin words', ['설정은 Docker를 쓴다', '책을 읽었다', '여권은 서랍에 있다'], { docker: 0, 책: 1, '여권 서랍': 2 }],
    ['Thai', ['พี่ชายชอบป่า', 'ป้าชอบปลา', 'แม่ทำงานที่โรงพยาบาล'], { ป่า: 0, ป้า: 1, โรงพยาบาล: 2 }],
    ['Arabic', ['جواز أحمد في الدرج الأزرق', 'مريم تحب القَهْوَة', 'رقم الغرفة ٤٢'], { 'احمد؟': 0, قهوة: 1, القـــهوة: 1, 42: 2 }],
    ['Hindi', ['मोहन को दान देना अच्छा लगता है', 'दिन में बारिश हुई', 'कमरा ४२ खाली'], { दान: 0, दिन: 1, 42: 2 }],
    ['Hebrew', ['הספר של דוד', 'אמא אוהבת קפה'], { דָּוִד: 0, קפה: 1 }],
    ['letters with strokes and dots', ['Die Straße in Łódź', 'Søren bor i København', 'Iğdır uzak'], { 'strasse lodz': 0, soren: 1, IGDIR: 2 }],
    ['emoji', ['🎉🎉', 'honey 🐝', '👩‍🚀 flies to 🇯🇵', 'plain'], { '🎉': 0, '🐝': 1, '👩🏽‍🚀': 2, '🇯🇵': 2 }],
  ])('%s', async (_, texts, questions) => {
    const { memory } = openTestMemory({ embedding: new ConstantEmbeddingModel() });
    // Each by itself: in one call the words of a turn would stand in the index of the next one too.
    for (const content of texts) await memory.store([{ role: 'user', content }], { ...USER, infer: false });
    for (const [question, expected] of Object.entries(questions)) {
      const { items } = await memory.retrieve(question, USER);
      const found = items.filter(({ channels }) => channels.some(({ channel }) => channel === 'keyword'));
      expect({ question, text: found[0]?.text }).toEqual({ question, text: texts[expected] });
    }
  });
});

describe('a question names an entity', () => {
  it.each([
    ['สมชาย', 'สมชายอยู่ที่ไหน'],
    ['小林', '小林的护照在哪里？'],
    ['أحمد', 'أين يعيش احمد؟'],
    ['राम', 'राम कहाँ है।'],
    ['Łukasz', 'Where does Lukasz live?'],
  ])('%s in %s', async (name, question) => {
    const { memory } = openTestMemory({ embedding: new ConstantEmbeddingModel() });
    await memory.store(
      [{ role: 'user', content: 'Note one.', triples: [{ subject: name, subjectType: 'person', predicate: 'owns', object: 'a kite' }] }],
      USER,
    );
    const { items } = await memory.retrieve(question, USER);
    expect(items.some(({ channels }) => channels.some(({ channel }) => channel === 'entity'))).toBe(true);
  });
});
