import { describe, expect, it } from 'vitest';
import { asksTheSame } from './same-question.ts';

describe('asksTheSame', () => {
  it.each([
    ['Where does Marit work?', 'Where is Marit working?'],
    ['Where does Marit work?', 'where does Marit work'],
    ['What is the price of the red boat?', 'The price of the red boat is what?'],
    ['Who moves the boats?', 'Who is moving the boat?'],
    ['Which pumps are spare?', 'Which pump is spare, please?'],
    ['When did the meeting begin on Monday?', 'When exactly did the meeting on Monday begin?'],
    ['보트 열쇠는 어디에 있어?', '보트 열쇠는 어디에 있어'],
    ['他喜欢茶吗？', '他喜欢茶？'],
  ])('takes %j for %j', (one, other) => {
    expect(asksTheSame(one, other)).toBe(true);
    expect(asksTheSame(other, one)).toBe(true);
  });

  it.each([
    ['another number', 'Is pier 31 open?', 'Is pier 32 open?'],
    ['another number in words', 'Is the meeting at two?', 'Is the meeting at three?'],
    ['another hour', 'May I call at 2 pm?', 'May I call at 2 am?'],
    ['another name', 'Where does Marit work?', 'Where does Mina work?'],
    ['swapped roles', 'Did Ana pay Bob?', 'Did Bob pay Ana?'],
    ['swapped roles by the verb', 'Who did Ana pay?', 'Who paid Ana?'],
    ['a negation', 'Does Marit like tea?', 'Does Marit not like tea?'],
    ['a contracted negation', 'Why does Marit come?', "Why doesn't Marit come?"],
    ['a negation by a word', 'Can I take it with food?', 'Can I take it without food?'],
    ['what is over', 'Is Ana married to Bob?', 'Is Ana no longer married to Bob?'],
    ['another question word', 'Where does Marit work?', 'When does Marit work?'],
    ['another tense', 'Where does Marit work?', 'Where did Marit work?'],
    ['another tense by the verb alone', 'Who works at the pier?', 'Who worked at the pier?'],
    ['another tense in German', 'Wo wohnt Ana?', 'Wo wohnte Ana?'],
    ['another person in Spanish', '¿Qué come Ana?', '¿Qué comes Ana?'],
    ['the future', 'Where does Marit work?', 'Where will Marit work?'],
    ['before and after', 'What happened before the storm?', 'What happened after the storm?'],
    ['another day', 'What did I eat today?', 'What did I eat yesterday?'],
    ['another month', 'What did we decide in March?', 'What did we decide in May?'],
    ['the opposite', 'Who is older, Ana or Bob?', 'Who is younger, Ana or Bob?'],
    ['the opposite verb', 'How do I open the valve?', 'How do I close the valve?'],
    ['the opposite by a prefix', 'What does Ana like?', 'What does Ana dislike?'],
    ['the other extreme', 'What is the cheapest boat?', 'What is the most expensive boat?'],
    ['a neighbour of the thing', 'What is the email of my mother?', 'What is the email of my father?'],
    ['more', 'Where does Marit work?', 'Where does Marit work on Sundays?'],
    ['another half of the day in Korean', '회의는 오전이야?', '회의는 오후야?'],
    ['a Korean negation', '마릿은 차를 마셔?', '마릿은 차를 안 마셔?'],
    ['a Chinese negation', '他喜欢茶吗？', '他不喜欢茶吗？'],
    ['another Chinese thing', '他喜欢茶吗？', '他喜欢酒吗？'],
  ])('does not take what has %s: %j, %j', (_, one, other) => {
    expect(asksTheSame(one, other)).toBe(false);
    expect(asksTheSame(other, one)).toBe(false);
  });
});
