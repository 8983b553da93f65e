import { expect, it } from 'vitest';
import { namedSpeakers } from './named-speakers.ts';

const subjects = (text: string, speakers: readonly string[]) => namedSpeakers(text, speakers).subjects;

it.each([
  ['What did Ana tell Ben?', 'Ana'],
  ['What did Ben tell Ana?', 'Ben'],
  ['What does Ana think about Ben’s decision?', 'Ana'],
  ['To Ben, what did Ana say?', 'Ana'],
  ['According to Ben, what makes Ana a good guide?', 'Ben'],
  ['What was recommended to Ana by Ben?', 'Ben'],
  ['What was Ana told by Ben?', 'Ben'],
  ['Which book by Ana did Ben read?', 'Ben'],
  ['What advice did Ana give to Ben and Cleo?', 'Ana'],
  ['Is it likely that Ben has friends besides Ana?', 'Ben'],
  ["What is Ben's nickname for Ana?", 'Ben'],
  ['when will ben visit ana', 'Ben'],
  ['벤이 아나에게 뭐라고 했어?', '벤'],
  ['아나한테 벤이 뭐 줬어?', '벤'],
  ['아나의 가게에 대해 벤은 뭐라고 했어?', '벤'],
  ['王小明给李雷推荐了什么书？', '王小明'],
  ['给李雷，王小明推荐了什么书？', '王小明'],
  ['花子に太郎は何を言った？', '太郎'],
  ['太郎が花子に何をあげた？', '太郎'],
  ['Was hat Ana zu Ben gesagt?', 'Ana'],
  ['¿Qué le dijo a Ben su amiga Ana?', 'Ana'],
  ['Mina가 아나에게 뭐라고 했어?', 'Mina'],
])('%s asks about %s', (text, subject) => {
  expect(subjects(text, ['Ana', 'Ben', 'Cleo', '아나', '벤', '王小明', '李雷', '太郎', '花子', 'Mina'])).toEqual([subject]);
});

it.each([
  ['Where did Ana and Ben meet?', ['Ana', 'Ben']],
  ['What do both Ana and Ben like?', ['Ana', 'Ben']],
  ['Did Ana, Ben and Cleo meet Dan?', ['Ana', 'Ben', 'Cleo']],
  ['What did Dan say to Ana & Ben?', ['Dan']],
  ['아나와 벤이 뭐 먹었어?', ['아나', '벤']],
  ['王小明和李雷去了哪里？', ['王小明', '李雷']],
  ['太郎と花子はどこで会った？', ['太郎', '花子']],
])('%s asks about %j', (text, both) => {
  expect(subjects(text, ['Ana', 'Ben', 'Cleo', 'Dan', '아나', '벤', '王小明', '李雷', '太郎', '花子'])).toEqual(both);
});

it.each([
  ['What did Ana tell Ben about the move?', 'What did I tell you about the move?'],
  ["What does Ana think of Ben's plan?", 'What do I think of your plan?'],
  ["Where is Ana's studio that Ben has opened?", 'Where is my studio that you has opened?'],
  ['Where did Ana and Ben meet?', 'Where did I and I meet?'],
  ['王小明给李雷推荐了什么书？', '给 推荐了什么书？'],
])('%s is searched as %s', (text, searched) => {
  expect(namedSpeakers(text, ['Ana', 'Ben', '王小明', '李雷']).withoutNames).toBe(searched);
});
