import { describe, expect, it } from 'vitest';
import { looksAhead } from './looks-ahead.ts';
import { readTimes } from './read-times.ts';

const ahead = (text: string) => looksAhead(text, readTimes(text));

describe('a question', () => {
  it.each([
    'What do I have tomorrow?',
    'What did I plan for tomorrow?',
    'Am I free on Friday?',
    'Who comes next weekend?',
    'Any plans for December 5?',
    'What will I do in two weeks?',
    'What is left for this month?',
    'What did we agree on for Saturday? It was for Saturday, on Saturday.',
    'Have I committed myself to anything this weekend?',
    'What time is the train on Friday?',
    '내일 뭐 있지?',
    '금요일에 약속 있어?',
    '주말에 어디 가기로 했지?',
    '我周四有空吗？',
    '明天要做什么？',
    '明日の予定は？',
    'Was habe ich morgen vor?',
    '¿Qué tengo mañana?',
  ])('asks for what is to come: %s', (text) => {
    expect(ahead(text)).toBe(true);
  });

  it.each([
    'What do I have?',
    'What did I do on Friday?',
    'Who did I meet last week?',
    'Where is the photo that I took on Friday?',
    'What is the name on the bill of 3 March?',
    'How did I learn it in three days?',
    'What did we discuss this week?',
    '금요일에 뭐 했어?',
    '지난 토요일에 무슨 일 있지?',
    '我周四吃了什么？',
    '上周六我怎么会在那里？',
    '昨日の予定は？',
    'Was habe ich am Freitag gemacht?',
  ])('asks for what was, or for no day: %s', (text) => {
    expect(ahead(text)).toBe(false);
  });
});
