/** Predicates of one meaning. Written in plain words; compared by their stems. */
export interface Family {
  readonly family: string;
  readonly slot?: string;
  /** The verb itself ends what held: "sold", "divorced". */
  readonly ends?: true;
  /** The verb says the contrary: "hates". */
  readonly opposite?: true;
  readonly phrases: readonly string[];
}

function phrases(list: string): readonly string[] {
  return list.split(',').map((phrase) => phrase.trim());
}

export const FAMILIES: readonly Family[] = [
  {
    family: 'live in',
    slot: 'place',
    phrases: phrases(
      `live in, live at, living in, be living in, reside in, reside at, be resident of, dwell in, move to, move into, move back to, relocate to, be relocating to,
      be moving to, settle in, be based in, be based at, be located in, be located at, be situated in, be kept in, be stored in, be stored at, kept in, stored in,
      located in, based in, residence, home, home city, current location, location, current residence, place of residence, be headquartered in, headquartered in`,
    ),
  },
  { family: 'live in', ends: true, phrases: phrases('move from, move out of, move away from, relocate from, emigrate from') },
  {
    family: 'work at',
    slot: 'employer',
    phrases: phrases(
      'work at, work for, join, be employed by, be employed at, employed by, employed at, start at, start work at, be hired by, hired by, get job at, have job at, take job at, start job at, employer, current employer, company',
    ),
  },
  {
    family: 'work as',
    slot: 'job',
    phrases: phrases(
      'work as, be employed as, be promoted to, get promoted to, promoted to, job, role, position, profession, occupation, job title, current role, current job, have role, have job title, have role of, have job as',
    ),
  },
  {
    family: '*',
    ends: true,
    phrases: phrases(
      'leave, quit, quit at, sell, give away, hand over, throw away, throw out, donate, trade, trade in, swap, uninstall, delete, cut out, resign from, be fired from, be laid off from, retire from, step down from, withdraw from, drop out of, cancel, switch from, change from, migrate from, upgrade from, move off, drop, abandon, get rid of, unsubscribe from, graduate from, be over with, be done with, finish with, break up with, split up with, separate from, give up, give up on, stop, end, discontinue',
    ),
  },
  {
    family: 'marry',
    slot: 'spouse',
    phrases: phrases('marry, be married to, get married to, married to, wed, be husband of, be wife of, be spouse of, spouse, husband, wife'),
  },
  { family: 'marry', ends: true, phrases: phrases('divorce, be divorced from, get divorced from, divorced') },
  {
    family: 'like',
    phrases: phrases('like, love, enjoy, adore, be fond of, be fan of, be big fan of, be into, be keen on, appreciate, like to eat, be crazy about'),
  },
  {
    family: 'like',
    opposite: true,
    phrases: phrases('hate, dislike, detest, loathe, despise, be sick of, be tired of, be bored of, be averse to, be fed up with'),
  },
  { family: 'own', phrases: phrases('own, have, possess, buy, purchase, adopt, get, acquire, be owner of, keep') },
  { family: 'own', ends: true, phrases: phrases('lose, give') },
  {
    family: 'use',
    phrases: phrases(
      'use, run on, be on, run, be using, switch to, migrate to, upgrade to, be upgraded to, move over to, change to, be running, be running on, be on version, run version, run on version, adopt version',
    ),
  },
  { family: 'prefer', phrases: phrases('prefer, would rather have, have preference for') },
  { family: 'eat', phrases: phrases('eat, consume') },
  { family: 'be allergic to', phrases: phrases('be allergic to, have allergy to, allergic to') },
  {
    family: 'due',
    slot: 'due',
    phrases: phrases(
      'be due on, be due by, be due, due on, due by, be scheduled for, scheduled for, be moved to date, be postponed to, be rescheduled to',
    ),
  },
  { family: 'be set to', slot: 'value', phrases: phrases('be set to, be set at, set to') },
  { family: 'weigh', slot: 'weight', phrases: phrases('weigh') },
  { family: 'cost', slot: 'price', phrases: phrases('cost, be priced at, price') },
  { family: 'be called', slot: 'name', phrases: phrases('be called, be named, be renamed to, be now called') },
];

/** What goes on when one leaves, quits or gives up the thing: who left Lindby may love it, and was born there. */
export const NEVER_LEFT: ReadonlySet<string> = new Set([
  'like',
  'prefer',
  'be allergic to',
  'be born in',
  'be from',
  'come from',
  'grow up in',
  'visit',
  'know',
]);

/** Attributes that have one value at a time; the first spelling of each names the slot. */
export const ATTRIBUTE_NAMES: readonly (readonly string[])[] = [
  ['status', 'state', 'current status', 'condition'],
  ['version', 'current version', 'release'],
  ['age'],
  ['size'],
  ['budget'],
  ['deadline', 'due date'],
  ['price'],
  ['phone number', 'phone', 'telephone', 'telephone number', 'mobile number', 'cell number', 'number', 'new phone number'],
  ['email', 'email address', 'e mail', 'mail address', 'new email', 'new email address'],
  ['address', 'home address', 'postal address', 'street address', 'new address'],
  ['birthday', 'birth date', 'date of birth', 'birthdate'],
  ['name', 'full name', 'new name'],
  ['colour', 'color'],
  ['height'],
  ['weight'],
  ['time zone', 'timezone'],
  ['salary'],
  ['marital status', 'relationship status'],
  ['owner'],
  ['priority'],
  ['password'],
  ['username', 'user name', 'handle'],
  ['speed'],
  ['temperature'],
  ['goal weight'],
];

/** People of whom somebody has one at a time: "My boss is Carla", or the predicate "boss". Not those of whom one may have two (doctor, friend). */
export const ROLES: readonly string[] = [
  'boss',
  'manager',
  'line manager',
  'supervisor',
  'team lead',
  'tech lead',
  'landlord',
  'landlady',
  'husband',
  'wife',
  'spouse',
  'fiance',
  'fiancee',
  'girlfriend',
  'boyfriend',
];

/** Words that stand against each other behind "is". */
export const STATES: Readonly<Record<string, readonly string[]>> = {
  colour: 'red green blue yellow black white grey gray orange purple pink brown beige silver gold turquoise violet navy teal'.split(' '),
  diet: 'vegetarian vegan pescatarian omnivore'.split(' '),
  'marital status': 'married single divorced widowed engaged'.split(' '),
  status: [
    ...'open closed done blocked unblocked resolved unresolved pending approved rejected valid expired active inactive cancelled canceled finished started deprecated merged released shipped broken fixed'.split(
      ' ',
    ),
    ...'online offline up down enabled disabled locked unlocked full empty paused running stopped ready delayed archived live'.split(' '),
    'in progress',
    'on hold',
  ],
  employment: 'employed unemployed retired self-employed'.split(' '),
};
