import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuestionTime } from '../domain/query.ts';
import { readTimes } from './read-times.ts';

const ago = (unit: 'day' | 'week' | 'month' | 'year', first: number, last = first): QuestionTime => ({ unit, first, last });

describe('times as seen from the day of the question', () => {
  it.each([
    ['What did I do yesterday?', ago('day', -1)],
    ['what happened the day before yesterday', ago('day', -2)],
    ['Who called last night?', ago('day', -1)],
    ['What did I eat this morning?', ago('day', 0)],
    ['What happened last week?', ago('week', -1)],
    ['What happened this month?', ago('month', 0)],
    ['Where was I last year?', ago('year', -1)],
    ['Who came three days ago?', ago('day', -3)],
    ['Who came 2 weeks ago?', ago('week', -2)],
    ['Who came a month ago?', ago('month', -1)],
    ['Who came a couple of days ago?', ago('day', -2)],
    ['What did I do in the last 3 weeks?', ago('week', -3, 0)],
    ['What did I read over the past few days?', ago('day', -3, 0)],
    ['Where did I go on Monday?', { weekday: 1 }],
    ['Where did I go last weekend?', { weekday: 6, days: 2 }],
    ['어제 뭐 했어?', ago('day', -1)],
    ['그저께 누가 왔어?', ago('day', -2)],
    ['지난주에 뭐 했어?', ago('week', -1)],
    ['지난달에 어디 갔어?', ago('month', -1)],
    ['작년에는 어디 살았어?', ago('year', -1)],
    ['재작년에는 어디 살았어?', ago('year', -2)],
    ['사흘 전에 뭐 먹었어?', ago('day', -3)],
    ['3일 전에 뭐 먹었어?', ago('day', -3)],
    ['두 달 전에 뭐 했어?', ago('month', -2)],
    ['지난 3일 동안 뭐 했어?', ago('day', -3, 0)],
    ['월요일에 뭐 했어?', { weekday: 1 }],
    ['我昨天吃了什么？', ago('day', -1)],
    ['上周发生了什么？', ago('week', -1)],
    ['上个月我去了哪里？', ago('month', -1)],
    ['去年我住在哪里？', ago('year', -1)],
    ['前年我住在哪里？', ago('year', -2)],
    ['三天前谁来了？', ago('day', -3)],
    ['最近三天我做了什么？', ago('day', -3, 0)],
    ['昨日何を食べた？', ago('day', -1)],
    ['一昨日何を食べた？', ago('day', -2)],
    ['先週どこに行った？', ago('week', -1)],
    ['3日前に誰が来た？', ago('day', -3)],
    ['Was habe ich gestern gegessen?', ago('day', -1)],
    ['Wer kam vor 3 Tagen?', ago('day', -3)],
    ['Wo war ich letzte Woche?', ago('week', -1)],
    ["Qu'ai-je fait hier ?", ago('day', -1)],
    ['Que s’est-il passé la semaine dernière ?', ago('week', -1)],
    ['¿Qué comí ayer?', ago('day', -1)],
    ['¿Quién vino hace 3 días?', ago('day', -3)],
    ['Что я делал вчера?', ago('day', -1)],
    ['Кто приходил 5 дней назад?', ago('day', -5)],
    ['Who came half a year ago?', ago('month', -6)],
    ['What happened since last week?', ago('week', -1, 0)],
    ['What happened since yesterday?', ago('day', -1, 0)],
    ['大前天谁来了？', ago('day', -3)],
    ['明后两天有什么事？', ago('day', 1, 2)],
    ['What do I have tomorrow?', ago('day', 1)],
    ['What is on the day after tomorrow?', ago('day', 2)],
    ['What is planned for next week?', ago('week', 1)],
    ['Where will I be in three weeks?', ago('week', 3)],
    ['Where will I be three weeks from today?', ago('day', 21)],
    ['What comes up in the next 3 days?', ago('day', 0, 3)],
    ['Am I free next Friday?', { weekday: 5, isNext: true }],
    ['Who comes this weekend?', { weekday: 6, days: 2 }],
    ['Who comes next weekend?', { weekday: 6, days: 2, isNext: true }],
    ['What is due on the 14th?', { dayOfMonth: 14 }],
    ['내일 뭐 있지?', ago('day', 1)],
    ['다음 주에 뭐 있어?', ago('week', 1)],
    ['다음 주말에 뭐 해?', { weekday: 6, days: 2, isNext: true }],
    ['14일에 뭐 있어?', { dayOfMonth: 14 }],
    ['2주 뒤 오늘 뭐 있어?', ago('day', 14)],
    ['明天有什么安排？', ago('day', 1)],
    ['下周有什么安排？', ago('week', 1)],
    ['这个月还有什么事？', ago('month', 0)],
    ['14号有什么事？', { dayOfMonth: 14 }],
    ['明日の予定は？', ago('day', 1)],
    ['Was habe ich morgen vor?', ago('day', 1)],
    ['¿Qué tengo mañana?', ago('day', 1)],
    ['Qu’est-ce que j’ai demain ?', ago('day', 1)],
  ])('%s', (text, time) => {
    expect(readTimes(text)).toEqual([time]);
  });
});

describe('spans', () => {
  it.each([
    ['What happened since 2023?', { from: { year: 2023 } }],
    ['What happened after 5 March 2024?', { from: { year: 2024, month: 3, day: 5 } }],
    ['Where did I live before March 2024?', { before: { year: 2024, month: 3 } }],
    ['Where did I live until 2020?', { until: { year: 2020 } }],
    ['What happened between March and May 2024?', { from: { year: 2024, month: 3 }, until: { year: 2024, month: 5 } }],
    ['What happened from 2024-03-01 to 2024-03-09?', { from: { year: 2024, month: 3, day: 1 }, until: { year: 2024, month: 3, day: 9 } }],
    ['2023년부터 뭐 했어?', { from: { year: 2023 } }],
    ['2023년 5월 이전에는 어디 살았어?', { before: { year: 2023, month: 5 } }],
    ['2020年以来我住在哪里？', { from: { year: 2020 } }],
    ['2020年以前どこに住んでいた？', { before: { year: 2020 } }],
  ])('%s', (text, span) => {
    expect(readTimes(text)).toEqual([span]);
  });
});

describe('two days of one month', () => {
  const july = { from: { month: 7, day: 8 }, until: { month: 7, day: 10 } };
  it.each([
    ['What happened between 8 and 10 July?', july],
    ['What happened from the 8th to the 10th of July?', july],
    ['What happened on July 8-10?', july],
    ['What happened between July 8 and 10, 2024?', { from: { year: 2024, month: 7, day: 8 }, until: { year: 2024, month: 7, day: 10 } }],
    ['Where are we from the 8th to the 10th?', { dayOfMonth: 8, days: 3 }],
    ['19号到21号去哪儿？', { dayOfMonth: 19, days: 3 }],
  ])('%s', (text, time) => {
    expect(readTimes(text)).toEqual([time]);
  });
});

describe('dates', () => {
  it.each([
    [
      'What happened in March 2024 or April 2025?',
      [
        { year: 2024, month: 3 },
        { year: 2025, month: 4 },
      ],
    ],
    ['What happened on 13/5/2024?', [{ year: 2024, month: 5, day: 13 }]],
    [
      'What happened on 3/5/2024?',
      [
        { year: 2024, month: 3, day: 5 },
        { year: 2024, month: 5, day: 3 },
      ],
    ],
    ['What happened last May?', [{ month: 5 }]],
    ['十二月五号发生了什么？', [{ month: 12, day: 5 }]],
    ['十月发生了什么？', [{ month: 10 }]],
  ])('%s', (text, dates) => {
    expect(readTimes(text)).toEqual(dates);
  });
});

describe('a time before or after a date', () => {
  it.each(['the week before', 'two weeks before', 'the Sunday before', 'a day after'])('is told of about then: %s', (words) => {
    expect(readTimes(`What did Ana do ${words} August 3, 2023?`)).toEqual([{ year: 2023, month: 8, day: 3 }]);
  });
});

describe('dates in other languages', () => {
  it.each([
    ['Was geschah am 3. März 2024?', { year: 2024, month: 3, day: 3 }],
    ['Was geschah im März?', { month: 3 }],
    ['Que s’est-il passé le 3 mars 2024 ?', { year: 2024, month: 3, day: 3 }],
    ['¿Qué pasó el 3 de marzo de 2024?', { year: 2024, month: 3, day: 3 }],
    ['Что было 3 марта 2024?', { year: 2024, month: 3, day: 3 }],
  ])('%s', (text, date) => {
    expect(readTimes(text)).toEqual([date]);
  });
});

describe('no time', () => {
  it.each([
    'May I ask?',
    'Wer wohnt hier?',
    'Who plays on Mondays?',
    'What did she do the next week?',
    'Who lives on the 3rd floor?',
    'Was habe ich am Morgen gegessen?',
    '¿Qué hago por la mañana?',
    'How was the weekend of sailing?',
    'Where does Mars go?',
    'How long ago?',
    'What lasts?',
    'Which weekday?',
    'A week of work?',
    'Years ago?',
    '今日子は誰？'.replace('今日', '明'),
    '三个月大的猫叫什么？',
    '1년은 며칠이야?',
  ])('%s', (text) => {
    expect(readTimes(text)).toEqual([]);
  });

  it('is read more freely from a memory than from a question', () => {
    expect(readTimes('Dentist Friday at 9', true)).toEqual([{ weekday: 5 }]);
    expect(readTimes('Thanksgiving is at home, so Thursday the 26th', true)).toEqual([{ dayOfMonth: 26 }]);
    expect(readTimes('Return no later than 14/12', true)).toEqual([{ month: 12, day: 14 }]);
    expect(readTimes('Add 1/2 cup and 24/7 support for Friday-Harbor', true)).toEqual([{ weekday: 5 }]);
    expect(readTimes('Does Friday read 14/12?')).toEqual([]);
  });

  it('takes any text', () => {
    const pieces = fc.array(
      fc.constantFrom('last', 'week', 'since', 'between', 'March', 'and', '2024', 'ago', '3', '지난', '전', '年', '前', '以来', ' '),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          pieces.map((list) => list.join(' ')),
        ),
        (text) => Array.isArray(readTimes(text)),
      ),
    );
  });
});
