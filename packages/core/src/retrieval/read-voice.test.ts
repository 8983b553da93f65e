import { describe, expect, it } from 'vitest';
import { readVoice } from './read-voice.ts';

describe('readVoice', () => {
  it.each([
    'What painters did you recommend to me?',
    'I once consulted you about presents. What did you suggest?',
    'Which of your tips was about sleep?',
    'What was the hotel that was recommended by you?',
    'What did the assistant recommend?',
    '你推荐的餐厅叫什么？',
    '你给我推荐过哪一部电影？',
    '我曾经向你咨询过绘画的方法，你给了我哪些建议？',
    '네가 추천해 준 영화 제목이 뭐였지?',
    '내가 전에 회화 배우는 법 물어봤었잖아. 뭐라고 조언해 줬지?',
    '5월 3일에 읽어 보라고 한 전기는 뭐였어?',
    '前に本をいっぱい薦めてくれたけど、どれだったか覚えてる？',
    'Was hattest du mir geraten, um gesünder zu leben?',
    '¿Qué me aconsejaste para tocar mejor la guitarra?',
    "Quel livre m'as-tu conseillé ?",
    'Che film mi hai consigliato?',
    'Que livro você me recomendou?',
  ])('hears the assistant asked for: %s', (question) => {
    expect(readVoice(question)).toEqual({ role: 'assistant', said: true });
  });

  it.each([
    'Which trip did I tell you about?',
    "What did I say when you asked me about Rome? I've told you twice.",
    'I shared a book with you before. What was its name?',
    '我曾经和你分享过一部动作片，他的名字是？',
    '我为什么要问你放松的办法？',
    '제가 영화 얘기 한 번 해 준 적 있는데, 제목이 뭐였죠?',
    '私が読んだって話した本、何だったっけ？',
    'Welches Buch habe ich dir empfohlen?',
    '¿A qué país te dije que iba a viajar?',
    "De quel film je t'ai parlé ?",
    'Di che viaggio ti ho parlato?',
    'Que livro te recomendei?',
  ])('hears the user asked for: %s', (question) => {
    expect(readVoice(question)).toEqual({ role: 'user', said: true });
  });

  it.each([
    'What kind of music do I like?',
    'Where is my passport?',
    '我喜欢哪些菜系？',
    '나 운동하는 거 싫어하지?',
    '저 5월 3일에 무슨 영화 봤었죠?',
    'Welche Farbe hat mein Kleid?',
    'where do i live? where did i put it?',
    'What did I order at the restaurant that you suggested?',
    'Like you said, sleep matters. What do I drink before bed?',
  ])('hears that it is about the asker: %s', (question) => {
    expect(readVoice(question)).toEqual({ role: 'user', said: false });
  });

  it.each([
    'Where does Bob live?',
    'Can you tell me where Bob lives?',
    'Could you recommend a film?',
    '你能告诉我张伟住在哪里吗？',
    '민수가 언제 온다고 했지?',
    '영화 하나 추천해 줘.',
    'When did Ana and Bo meet?',
    'Describe the incident of 5 March.',
    '你推荐的餐厅我点了什么菜？',
    '네가 추천해 준 식당에서 내가 뭐 시켰지?',
    '친구가 추천해 준 식당 이름이 뭐였지?',
    '의사가 무슨 운동을 하라고 했지?',
    '팀장님이 알려 준 비밀번호가 뭐였지?',
    '友達が教えてくれた店の名前は？',
    '你知道小李推荐的餐厅叫什么吗？',
    '你觉得教育部的通知怎么样？',
    'Was haben sie über das Haus gesagt?',
    'Who shouted "you asked for it"?',
    "누가 '네가 최고야'라고 했지?",
    'How do I reset my router?',
    '我的 router 怎么 reset？',
    'What is the I/O limit of socket.io?',
    '隐私政策是什么？',
    '제 3조가 뭐야?',
  ])('hears nobody: %s', (question) => {
    expect(readVoice(question)).toBeUndefined();
  });
});
