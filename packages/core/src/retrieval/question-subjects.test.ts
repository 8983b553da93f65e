import { expect, it } from 'vitest';
import { namedSpeakers } from './named-speakers.ts';

const subjects = (text: string, speakers: readonly string[]) => namedSpeakers(text, speakers).subjects;

const NAMES = ['Ana', 'Ben', 'Cleo', 'Dan', 'James', '아나', '벤', '김민수', '지영', 'Mina', '王小明', '李雷', '太郎', '花子'];

it.each([
  ['What did Ana tell Ben?', 'Ana'],
  ['What does Ana think about Ben’s decision?', 'Ana'],
  ['To Ben, what did Ana say?', 'Ana'],
  ['Unlike Ben, Ana likes what?', 'Ana'],
  ['What was recommended to Ana by Ben?', 'Ben'],
  ['What was Ana told by Ben?', 'Ben'],
  ["Was Ana moved by Ben's gift?", 'Ana'],
  ['Which book by Ana did Ben read?', 'Ben'],
  ['What advice did Ana give to Ben and Cleo?', 'Ana'],
  ['Is it likely that Ben has friends besides Ana?', 'Ben'],
  ["What is Ben's nickname for Ana?", 'Ben'],
  ["What is James' nickname for Ana?", 'James'],
  ['when will ben visit ana', 'Ben'],
  ['벤이 아나에게 뭐라고 했어?', '벤'],
  ['아나한테 벤이 뭐 줬어?', '벤'],
  ['아나의 가게에 대해 벤은 뭐라고 했어?', '벤'],
  ['지영이한테 벤도 책을 추천해 줬어?', '벤'],
  ['김민수 씨에게 지영 씨가 뭐라고 했나요?', '지영'],
  ['Mina가 아나에게 뭐라고 했어?', 'Mina'],
  ['王小明给李雷推荐了什么书？', '王小明'],
  ['给李雷，王小明推荐了什么书？', '王小明'],
  ['关于李雷的书店，王小明怎么看？', '王小明'],
  ['王小明的生日李雷送了什么？', '李雷'],
  ['王小明跟李雷说了什么？', '王小明'],
  ['花子に太郎は何を言った？', '太郎'],
  ['太郎が花子に何をあげた？', '太郎'],
  ['Was hat Ana zu Ben gesagt?', 'Ana'],
  ['Was wurde Ben von Ana geraten?', 'Ana'],
  ['¿Qué le dijo a Ben su amiga Ana?', 'Ana'],
  ['O que a Ana disse do Ben?', 'Ana'],
])('%s asks about %s', (text, subject) => {
  expect(subjects(text, NAMES)).toEqual([subject]);
});

it.each([
  ['According to Ben, what makes Ana a good guide?', 'Ben'],
  ['According to Ben, what did Ana miss?', 'Ben'],
  ['What did Ana miss according to Ben?', 'Ben'],
  ["In Ben's view, what should Ana do?", 'Ben'],
  ['벤에 따르면 아나는 뭘 해야 해?', '벤'],
  ['李雷被王小明建议先学什么？', '王小明'],
  ['太郎によると花子は何が好き？', '太郎'],
])('%s asks for what %s says', (text, subject) => {
  expect(subjects(text, NAMES)).toEqual([subject]);
});

it.each([
  ['Where did Ana and Ben meet?', ['Ana', 'Ben']],
  ['What do both Ana and Ben like?', ['Ana', 'Ben']],
  ['Did Ana, Ben and Cleo meet Dan?', ['Ana', 'Ben', 'Cleo']],
  ['What did Ana, Ben, and Cleo plan?', ['Ana', 'Ben', 'Cleo']],
  ['Why did Ana as well as Ben leave Dan?', ['Ana', 'Ben']],
  ['What did Dan say to Ana & Ben?', ['Dan']],
  ['아나와 벤이 뭐 먹었어?', ['아나', '벤']],
  ['王小明和李雷去了哪里？', ['王小明', '李雷']],
  ['太郎と花子はどこで会った？', ['太郎', '花子']],
  // What is given may be told by who got it and by who gave it.
  ['Which gift did Ana get from Ben?', ['Ana', 'Ben']],
  ['지영이는 벤한테서 뭘 받았어?', ['벤', '지영']],
  ['Who gave Ana the vase?', []],
])('%s asks about %j', (text, both) => {
  expect(subjects(text, NAMES)).toEqual(both);
});

it.each([
  ['What did Ana tell Ben about the move?', 'What did I tell you about the move?'],
  ["What does Ana think of Ben's plan?", 'What do I think of your plan?'],
  ['If Ben asks, would Ana help?', 'If you asks, would I help?'],
  ['Where did Ana and Ben meet?', 'Where did I and I meet?'],
  ["What is James' dog called?", 'What is my dog called?'],
  ['O que a Ana disse do Ben?', 'O que a disse do ?'],
  ['王小明给李雷推荐了什么书？', '给 推荐了什么书？'],
])('%s is searched as %s', (text, searched) => {
  expect(namedSpeakers(text, NAMES).withoutNames).toBe(searched);
});
