import { type Clause, clauseOf, clausesOf, type VerbClause } from './korean-clauses.ts';
import { copulaOf } from './korean-copula.ts';
import type { VerbForm } from './korean-verbs.ts';
import { NO_COMPANY, NO_EMPLOYER, NO_PLACE, OWN_JOB, SCHOOL, UNCERTAIN } from './korean-words.ts';
import { namesOfOtherLanguage } from './names.ts';
import type { Author } from './noun-phrases.ts';
import { isKoreanRegion } from './regions.ts';
import { type Correction, me, type ReadSentence, type Subject, sentencesOf, tripleOf } from './sentences.ts';
import type { Triple } from './triples.ts';

type Statement = readonly [predicate: string, object: string];

const ANNOUNCES = /정정|잘못 ?(?:말|썼|적)|말이 ?잘못|말실수|오타/u;
/** "아니, 부산에 살아" sets right what was said; "아니, 이제 이사했어" tells what happened. */
const SETS_RIGHT = /^(?:아니(?:야|요|에요)?|사실은?)[,\s](?!.*(?:이제|이사|옮|바꿨|바뀌|이직|그만|끊|더 ?이상))/u;
const NOT_BUT = /(?<wrong>[^\s,]+?)(?:이|가)? ?(?:아니라|아니고|말고),? (?=\S)/u;
const FRAGMENT =
  /^(?:(?:아니(?:야|요|에요)?|아|음|미안(?:해요?)?|죄송(?:해요|합니다)?)[,\s]*)*(?:정정(?:할게요?|하자면|합니다|해요?)?|내 말은|제 말은)?[,:\s]*/u;
const COPULA = /(?:이야|야|이에요|예요|에요|입니다|요)?[.!~\s]*$/u;

/** Reads Korean text: what people state of themselves and of others, in the words of the English rules. Careful like them: what is not understood gives nothing. */
export function readKorean(text: string, author: Author): ReadSentence[] {
  let topic: Subject = me(author);
  let announced = false;
  return sentencesOf(text).map((sentence) => {
    const names = namesOfOtherLanguage(sentence);
    const isStatement = !/[?？]\s*$/u.test(sentence);
    const sure = isStatement && !UNCERTAIN.test(sentence);
    const { triples, subject } = triplesOf(sentence.replace(NOT_BUT, ''), author, topic);
    topic = subject;
    const corrects = announced || ANNOUNCES.test(sentence) || SETS_RIGHT.test(sentence) || NOT_BUT.test(sentence);
    const correction = sure && corrects ? correctionOf(sentence) : undefined;
    // "서울로 이사했지만 다시 돌아왔어"
    const stays = /돌아(?:왔|갔|와|가|오)|다시 \S+(?:로|에) (?:왔|갔)/u.test(sentence)
      ? triples.filter(({ predicate }) => !/^move (?:to|from)$/.test(predicate))
      : triples;
    const stated = sure ? stays : [];
    announced = ANNOUNCES.test(sentence) && stated.length === 0 && correction === undefined;
    return { text: sentence, isStatement, names, triples: stated, cause: undefined, corrects, correction };
  });
}

function correctionOf(sentence: string): Correction | undefined {
  const { wrong } = NOT_BUT.exec(sentence)?.groups ?? {};
  const right = sentence.replace(NOT_BUT, '').replace(FRAGMENT, '').replace(COPULA, '');
  return right === '' || /\s/.test(right) || ANNOUNCES.test(right) ? undefined : { right, wrong: wrong?.replace(FRAGMENT, '') };
}

/** @returns the triples, and who the next sentence is about if it does not say */
function triplesOf(sentence: string, author: Author, before: Subject): { readonly triples: Triple[]; readonly subject: Subject } {
  const triples: Triple[] = [];
  const { verbs, rest } = clausesOf(sentence, author);
  let [topic, subject] = [before, before];
  const turnTo = (clause: Clause, isKnown = true) => {
    // "비가 와서": of what the rules don't know the subject is not that of what follows.
    if (clause.subject === undefined || !(isKnown || clause.isTopic)) return;
    subject = clause.subject;
    if (clause.isTopic) topic = clause.subject;
  };
  const add = (of: Subject, statements: readonly Statement[]) => {
    for (const [predicate, object] of statements) if (of !== 'unknown' && object !== of.name) triples.push(tripleOf(of, predicate, object));
  };
  for (const verb of verbs) {
    const { clause } = verb;
    // "마감일을 5월 3일로 변경했어"
    const set = verb.forms.some((form) => form.verb === 'change') ? copulaOf(verb.words, author) : undefined;
    if (set !== undefined && set.statements.length > 0) {
      add(set.of ?? subject, set.statements);
      continue;
    }
    const object = clause.subject;
    turnTo(clause, verb.forms.length > 0);
    // "커피는 안 마셔": what is spoken of is the object, and the author left out.
    const topical = object !== undefined && object !== 'unknown' && object.role === undefined && !object.isAuthor ? object.name : undefined;
    const asObject = topical === undefined || !clause.isTopic ? undefined : withObject(verb, topical);
    if (asObject === undefined) add(subject, statementsOf(verb, subject));
    else {
      [topic, subject] = [before, before];
      add(subject, statementsOf(asObject, subject));
    }
  }
  if (rest.length > 0) {
    const { statements, of } = copulaOf(rest, author);
    if (statements.length > 0) add(of ?? subject, statements);
    turnTo(clauseOf(rest, author));
  }
  return { triples, subject: topic };
}

/** Of verbs that are nothing without an object. */
function withObject({ clause, forms }: VerbClause, object: string): VerbClause | undefined {
  const needs = forms.some(({ verb }) => /^(?:eat|drink|smoke|quit|use|do|sell|buy|play|ride|learn|teach|study|have|speak)$/.test(verb));
  if (!needs || ['object', 'bare', 'at', 'to'].some((role) => clause.arguments.has(role as 'object'))) return undefined;
  return { forms, words: [], clause: { ...clause, subject: undefined, arguments: new Map([...clause.arguments, ['object', object]]) } };
}

function statementsOf({ clause, forms }: VerbClause, subject: Subject): readonly Statement[] {
  if (clause.unread || subject === 'unknown') return [];
  for (const form of forms) {
    if (form.honours && subject.isAuthor) continue;
    const found = statementsOfForm(form, clause, subject.isAuthor);
    if (found.length > 0) return found;
  }
  return [];
}

function statementsOfForm(form: VerbForm, clause: Clause, isAuthor: boolean): readonly Statement[] {
  const negated = form.negated || clause.negated;
  const { verb, tense } = form;
  const [at, into, to, object, bare, others] = (['at', 'in', 'to', 'object', 'bare', 'with'] as const).map((role) => clause.arguments.get(role));
  const happened = tense === 'past' && !negated && !clause.passing;
  const thing = object ?? bare;
  const state = (predicate: string): string | undefined => {
    if (negated) return tense === 'now' && !clause.formerly && !clause.occasional ? `${clause.ended ? 'no longer' : 'not'} ${predicate}` : undefined;
    return tense === 'now' && !clause.formerly ? predicate : `used to ${predicate}`;
  };
  /** What people do over and over; told of the past it is one occasion. */
  const habit = (predicate: string) => (tense === 'past' && !clause.formerly && !negated ? undefined : state(predicate));
  const one = (predicate: string | undefined, value: string | undefined): Statement[] =>
    predicate === undefined || value === undefined ? [] : [[predicate, value]];
  const place = (value: string | undefined) => (value === undefined || NO_PLACE.test(value) ? undefined : value);
  const isOwnJob = thing !== undefined && OWN_JOB.has(thing.replaceAll(' ', ''));
  const newJob = (): Statement[] => {
    const [from, next] = [at, to ?? into].map((name) => (name === undefined || OWN_JOB.has(name) || NO_EMPLOYER.test(name) ? undefined : name));
    const both = [...one('leave', from), ...one('start at', next)];
    return both.length > 0 ? both : [['leave', 'job']];
  };

  switch (verb) {
    case 'live in': {
      const named = clause.subject !== undefined || (bare !== undefined && isKoreanRegion(bare)) || clause.ended;
      return one(state('live in'), place(into ?? at ?? (named ? bare : undefined)));
    }
    case 'move to':
      return happened ? [...one('move from', place(at)), ...one('move to', place(to ?? into))] : [];
    case 'relocate':
      if (!happened || object === undefined) return [];
      if (/^(?:집|거처)$/.test(object)) return [...one('move from', place(at)), ...one('move to', place(to))];
      return isOwnJob ? newJob() : [];
    case 'leave':
      if (!happened || thing === undefined || /(?:여행|휴가|출장|유학|소풍|길|피서)$/u.test(thing)) return [];
      return isOwnJob ? [['quit', 'job']] : one('leave', place(thing));
    case 'work at': {
      const job = to === undefined || /(?:직|타임|재택|근무|원격|대로|방식)$/u.test(to) ? undefined : to;
      return [
        ...one(state(at !== undefined && isKoreanRegion(at) ? 'work in' : 'work at'), at === undefined || NO_EMPLOYER.test(at) ? undefined : at),
        ...one(state('work as'), job),
      ];
    }
    case 'attend': {
      const where = into ?? object ?? bare;
      if (where !== undefined && OWN_JOB.has(where)) return negated && clause.ended ? [['quit', 'job']] : [];
      if (where !== undefined && SCHOOL.test(where)) return one(state('study at'), where);
      return one(state('work at'), where === undefined || NO_COMPANY.test(where) ? undefined : where);
    }
    case 'start at': {
      const where = into ?? to ?? at;
      return happened && where !== undefined && !OWN_JOB.has(where) && !NO_EMPLOYER.test(where) ? [['start at', where]] : [];
    }
    case 'change job':
      return happened ? newJob() : [];
    case 'resign':
      if (!happened) return [];
      return [['quit', isOwnJob || (thing ?? at) === undefined ? 'job' : (at ?? thing ?? 'job')]];
    case 'lose job':
      return happened && isAuthor ? (at === undefined ? [['lose', 'job']] : [['be fired from', at]]) : [];
    case 'quit':
      if (!happened || thing === undefined) return [];
      return [['quit', isOwnJob ? (at ?? 'job') : thing]];
    case 'like':
    case 'love':
      return one(state(clause.arguments.has('than') && !negated ? 'prefer' : verb), thing);
    case 'enjoy':
    case 'hate':
    case 'prefer':
      return one(state(verb), thing);
    case 'do':
      if (thing !== undefined && /[가-힣]어$/u.test(thing) && tense === 'now') return one(state('speak'), thing);
      return object === undefined && !negated ? [] : one(habit('do'), thing);
    case 'speak':
      return one(state('speak'), thing !== undefined && /[가-힣]어$/u.test(thing) ? thing : undefined);
    case 'buy':
    case 'sell':
    case 'throw away':
      return happened ? one(verb, thing) : [];
    case 'marry':
    case 'divorce':
    case 'break up with':
      if (!happened) return [];
      return verb === 'divorce' && others === undefined ? [['end', 'marriage']] : one(verb, others);
    case 'change': {
      if (!happened) return [];
      if (isOwnJob) return newJob();
      return to === undefined ? [] : [...one('switch from', at ?? object), ['switch to', to]];
    }
    default:
      return one(habit(verb), thing);
  }
}
