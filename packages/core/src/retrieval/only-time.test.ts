import { describe, expect, it } from 'vitest';
import { analyseQuery } from './analyse-query.ts';

const onlyTime = (text: string) => analyseQuery({ userId: 'u', text, filter: {}, speakers: ['Ana', 'Ben', 'May'] }).onlyTime;

describe('a question', () => {
  it.each([
    'What did we talk about yesterday?',
    'What topics did we discuss on April 29th?',
    'What happened last week?',
    'What did Ana say on 3 May 2024?',
    'What was the topic of discussion between Ana and Ben on 3 May?',
    '어제 무슨 얘기 했지?',
    '지난주에 나 뭐 했지?',
    '우리 4월 27일엔 무슨 주제로 대화했었죠?',
    '昨天我们聊了什么？',
    '在4月27号我们聊了什么话题？',
    '4月29日は何の話したっけ？',
    'Can you recap what we discussed yesterday?',
    'Summarize our conversation of yesterday',
    '어제 대화 요약해 줘',
    '昨日の会話を要約して',
    'Was haben wir gestern besprochen?',
    '¿De qué hablamos ayer?',
    'What did we talk about in May?',
    'What did we talk about on 2026/06/14?',
  ])('asks for a time and nothing else: %s', (text) => {
    expect(onlyTime(text)).toBe(true);
  });

  it.each([
    'What do I have tomorrow?',
    'Am I free on Friday?',
    "What's happening next week?",
    'What did I plan for the weekend of December 5?',
    '내일 뭐 있지?',
    '后天有事吗',
  ])('asks for what is to come then and nothing else: %s', (text) => {
    expect(onlyTime(text)).toBe(true);
  });

  it.each([
    'What did we plan yesterday?',
    'What time is the dentist tomorrow?',
    'Who picks up the kids on Thursday?',
    'What did we talk about?',
    'What did I eat yesterday?',
    'What did we say about the budget on 3 May?',
    '어제 뭐 먹었지?',
    '昨天我吃了什么？',
    '昨日見た映画は？',
    'What does BUG-164 do?',
    'What did April say?',
    'What did May say?',
    'What did I tell you about April?',
    'What happened with 815 yesterday?',
    '어제 해고 얘기 했지?',
    '어제 수도 얘기 했지?',
  ])('asks for more, or for no time: %s', (text) => {
    expect(onlyTime(text)).toBe(false);
  });
});
