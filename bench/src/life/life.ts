import { Random } from '../latency/random.ts';

interface Change {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

interface LifeTurn {
  readonly at: string;
  readonly text: string;
  /** What the turn states: what a model that reads without error would return. */
  readonly states: readonly Change[];
}

export interface Life {
  readonly turns: readonly LifeTurn[];
  /** By topic: the values in the order of the world, oldest first. */
  readonly topics: ReadonlyMap<string, readonly Change[]>;
  /** Multi-valued statements, all of which stay true. */
  readonly lasting: readonly Change[];
}

interface Topic {
  readonly subject: string;
  readonly first: (value: string) => readonly [text: string, predicate: string];
  readonly later: (value: string, before: string) => readonly [text: string, predicate: string];
  readonly values: readonly string[];
}

const list = (text: string) => text.split(' ');
const PLACES = list(
  'Lindby Corran Bergen Porto Tarn Malmo Leiden Gdansk Turin Bilbao Ghent Cork Vaasa Zadar Nantes Brno Lugano Esbjerg Tartu Faro Sligo Umea Arles Varna',
);
const COMPANIES = list(
  'Acme Globex Initech Hooli Umbrella Soylent Vandelay Cyberdyne Brightline Northwind Contoso Fabrikam Tyrell Aperture Monarch Zenith Orion Helios Quanta Nimbus',
);
const COLOURS = list('blue green red yellow purple orange teal white black brown');
const JOBS = list('nurse baker teacher welder pilot editor gardener plumber librarian carpenter');
const DRINKS = list('tea coffee cocoa juice water kombucha cider lemonade');
const EDITORS = list('Helix Vim Emacs Nano Zed Kakoune Atom Sublime');
const HOBBIES = list('chess pottery sailing archery origami fencing juggling astronomy calligraphy beekeeping');
const PEOPLE = list('Rosa Lena Omar Priya Kenji Ingrid Mateo Hana Tomas Nadia');

function topics(): Topic[] {
  const own: Topic[] = [
    {
      subject: 'User',
      values: PLACES,
      first: (value) => [`I live in ${value}.`, 'live in'],
      later: (value, before) => [`I moved from ${before} to ${value}.`, 'move to'],
    },
    {
      subject: 'User',
      values: COMPANIES,
      first: (value) => [`I work at ${value}.`, 'work at'],
      later: (value) => [`I work for ${value} now.`, 'work for'],
    },
    {
      subject: 'User',
      values: JOBS,
      first: (value) => [`I work as a ${value}.`, 'work as'],
      later: (value) => [`I now work as a ${value}.`, 'work as'],
    },
    {
      subject: 'User',
      values: COLOURS,
      first: (value) => [`My favourite colour is ${value}.`, 'favourite colour'],
      later: (value) => [`My favourite colour is ${value} now.`, 'favourite colour'],
    },
    {
      subject: 'User',
      values: EDITORS,
      first: (value) => [`My favourite editor is ${value}.`, 'favourite editor'],
      later: (value) => [`My favourite editor is ${value} these days.`, 'favourite editor'],
    },
    { subject: 'User', values: DRINKS, first: (value) => [`I prefer ${value}.`, 'prefer'], later: (value) => [`I prefer ${value} now.`, 'prefer'] },
  ];
  for (const person of PEOPLE) {
    own.push({
      subject: person,
      values: PLACES,
      first: (value) => [`${person} lives in ${value}.`, 'live in'],
      later: (value) => [`${person} moved to ${value}.`, 'move to'],
    });
    own.push({
      subject: person,
      values: COMPANIES,
      first: (value) => [`${person} works at ${value}.`, 'work at'],
      later: (value) => [`${person} now works for ${value}.`, 'work for'],
    });
  }
  for (let ticket = 1; ticket <= 14; ticket++) {
    const subject = `TICKET-${ticket}`;
    const text = (value: string): readonly [string, string] => [`${subject} is ${value}.`, 'be'];
    own.push({ subject, values: list('open blocked approved closed pending rejected'), first: text, later: text });
  }
  return own;
}

const SMALL_TALK = [
  'The tram was late again.',
  'It rained all morning.',
  'Soup for lunch today.',
  'I slept badly.',
  'What a long meeting.',
  'The neighbours were loud.',
  'Nothing new here.',
  'I watched a film about whales.',
];
const MINUTES_BETWEEN = 240;
const START = Date.parse('2018-01-01T08:00:00.000Z');

/**
 * A life in turns, always the same for one seed: small talk, lists that only grow, and topics of which one value holds at a time. Every tenth
 * change is told late, after a newer one, so that the order of arrival and the order of the world differ.
 */
export function writeLife(turnCount: number, changeCount: number, seed = 7): Life {
  const random = new Random(seed);
  const all = topics();
  const history = new Map<string, Change[]>();
  const events: { readonly minute: number; readonly turn: Omit<LifeTurn, 'at'>; readonly told: number }[] = [];
  const lasting: Change[] = [];
  const state = (topic: Topic, minute: number, late: boolean) => {
    const key = `${topic.subject} ${all.indexOf(topic)}`;
    const values = history.get(key) ?? [];
    const before = values.at(-1)?.object;
    const value = random.pick(topic.values.filter((each) => each !== before));
    const [text, predicate] = before === undefined ? topic.first(value) : topic.later(value, before);
    const change = { subject: topic.subject, predicate, object: value };
    history.set(key, [...values, change]);
    events.push({ minute, told: late ? minute + 40 * MINUTES_BETWEEN : minute, turn: { text, states: [change] } });
  };
  const total = turnCount * MINUTES_BETWEEN;
  const initial = all.slice(0, Math.max(1, Math.min(all.length, Math.floor(turnCount / 4))));
  for (const [index, topic] of initial.entries()) state(topic, index * 3, false);
  const spare = turnCount - initial.length - changeCount;
  const minutes = Array.from({ length: changeCount }, (_, index) => 3000 + Math.floor(((index + random.next()) / changeCount) * (total - 6000)));
  for (const [index, minute] of minutes.entries()) state(random.pick(initial), minute, index % 10 === 9);
  for (let index = 0; index < spare; index++) {
    const minute = Math.floor(random.next() * total);
    if (index % 25 === 0) {
      const hobby = random.pick(HOBBIES);
      const change = { subject: 'User', predicate: 'love', object: hobby };
      lasting.push(change);
      events.push({ minute, told: minute, turn: { text: `I love ${hobby}.`, states: [change] } });
    } else events.push({ minute, told: minute, turn: { text: `${random.pick(SMALL_TALK)} Day ${index}.`, states: [] } });
  }
  const ordered = events.sort((a, b) => a.told - b.told || a.minute - b.minute);
  return { turns: ordered.map(({ minute, turn }) => ({ ...turn, at: new Date(START + minute * 60_000).toISOString() })), topics: history, lasting };
}
