import { describe, expect, it } from 'vitest';
import { namedSpeakers, nobodyNamed } from './named-speakers.ts';

const named = (text: string, ...speakers: string[]) => namedSpeakers(text, speakers).speakers;

describe('two with one first name', () => {
  it('are told apart by what else is said of the name, and both meant where nothing is', () => {
    expect(named('What did Ana Kim paint?', 'Ana Lee', 'Ana Kim')).toEqual(['Ana Kim']);
    expect(named('what did ana lee paint?', 'Ana Lee', 'Ana Kim', 'Ana')).toEqual(['Ana Lee']);
    expect(named('Did Ana Lee meet Ana Kim?', 'Ana Lee', 'Ana Kim')).toEqual(['Ana Lee', 'Ana Kim']);
    expect(named('What did Ana paint?', 'Ana Lee', 'Ana Kim')).toEqual(['Ana Lee', 'Ana Kim']);
    expect(named('민수가 뭐라고 했어?', '김민수', '박민수')).toEqual(['김민수', '박민수']);
    expect(named('박민수가 뭐라고 했어?', '김민수', '박민수')).toEqual(['박민수']);
    expect(named('Is Dr. Lee in?', 'Dr. Kim')).toEqual([]);
  });

  it('leave nothing of the name in what is searched', () => {
    expect(namedSpeakers('What did Ana Kim paint?', ['Ana Lee', 'Ana Kim']).withoutNames).toBe('What did I paint?');
  });
});

describe('a name that is also a word', () => {
  it.each([
    ['When will the ship leave?', 'Will'],
    ['did will come', 'Will'],
    ['Will it rain?', 'Will'],
    ['May I go?', 'May'],
    ['What happened in May?', 'May'],
    ['What happened on 3 May?', 'May'],
    ['What happened on May 3?', 'May'],
    ['Who came between March and May 2024?', 'May'],
    ['Which mark did my art get?', 'Mark'],
    ['Which mark did my art get?', 'Art'],
    ['where is the rose', 'Rose'],
    ['What does the user like?', 'user'],
    ['Is it my joy?', 'Joy'],
  ])('%s does not name %s', (text, speaker) => {
    expect(namedSpeakers(text, [speaker])).toEqual(nobodyNamed(text));
  });

  it.each([
    ['When did Will leave?', 'Will'],
    ['Will Will come?', 'Will'],
    ["What is Will's job?", 'Will'],
    ['What did May say?', 'May'],
    ['Did Mark get a mark?', 'Mark'],
    ['what did rose paint', 'Rose'],
    ['Rose painted what?', 'Rose'],
  ])('%s names %s', (text, speaker) => {
    expect(named(text, speaker)).toEqual([speaker]);
  });
});

describe('another spelling', () => {
  it.each([
    ['What did Jose say?', 'José'],
    ['What did José say?', 'Jose'],
    ['Did O’Neil call?', "O'Neil"],
    ['Did ONeil call?', 'O’Neil'],
    ['Where does anna lena live?', 'Anna-Lena'],
    ['Where does Anna-Lena live?', 'Anna Lena'],
    ['What did ana   lee say?', 'Ana Lee'],
    ['민수가 뭐라고 했어?', '김민수'],
    ['민수에게는 뭐가 좋아?', '김민수'],
    ['김민수한테 뭐 줬어?', '김민수'],
    ['小林喜欢什么？', '小林'],
    ['小林は何を言った？', '小林'],
    ['小明喜欢什么？', '王小明'],
    ['太郎さんの趣味は？', '田中太郎'],
  ])('%s names %s', (text, speaker) => {
    const { speakers, withoutNames } = namedSpeakers(text, [speaker]);
    expect(speakers).toEqual([speaker]);
    expect(withoutNames).not.toBe(text);
  });

  it.each([
    ['What is a banana?', 'Ana'],
    ['Who is Joséphine?', 'José'],
    ['명수는 어디 있어?', '김민수'],
    ['林さんの趣味は？', '小林'],
    ['Analysis', 'Ana'],
  ])('%s does not name %s', (text, speaker) => {
    expect(namedSpeakers(text, [speaker])).toEqual(nobodyNamed(text));
  });
});
