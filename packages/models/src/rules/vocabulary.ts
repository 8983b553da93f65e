import { readPredicate } from '@tandem-memory/core';

/** Word lists of the English rules. Small on purpose: each word is here because a rule went wrong without it. */
function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** Nouns that the tagger often takes for nouns although they are verbs in the third person. */
export const THIRD_PERSON_VERBS: ReadonlyMap<string, string> = new Map(
  `lives:live works:work studies:study blocks:block likes:like loves:love runs:run plays:play owns:own uses:use needs:need wants:want hates:hate plans:plan supports:support
  drives:drive moves:move costs:cost causes:cause fixes:fix calls:call teaches:teach writes:write builds:build sells:sell leads:lead depends:depend travels:travel visits:visit
  hosts:host stores:store replaces:replace requires:require reports:report manages:manage designs:design trains:train breaks:break stops:stop starts:start cooks:cook
  paints:paint dances:dance speaks:speak enjoys:enjoy feeds:feed connects:connect prefers:prefer keeps:keep wears:wear tunes:tune talks:talk`
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);

export const TIME_WORDS =
  words(`yesterday today tomorrow tonight now morning afternoon evening night noon midnight weekend week weeks month months year years day days hour hours
  minute minutes second seconds monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march
  april june july august september october november december summer winter spring autumn while moment ago decade decades century weekends mornings evenings mon tue tues wed thu thurs fri quarter semester`);
export const TIME_MODIFIERS = words('next last this every each past');

/** Too general to be a node of anyone's memory. */
export const EMPTY_NOUNS =
  words(`thing things lot lots way ways time times kind kinds bit something anything nothing everything someone anyone everyone somebody anybody everybody
  one ones stuff fact idea sense look part piece course case sort type number amount rest end start point place people guy guys person man woman
  problem issue reason matter example side turn chance favor favour trouble try break fun care hand eye mind fine ok okay thanks sir madam
  difference impact plunge power dream dreams sense effort effect progress luck opportunity opportunities moment moments experience attention support love word words step
  future past feeling feelings mood happiness joy others gonna game back`);
/** Words that stand against each other behind "is": colours, open and closed, married and single. */
export function isState(word: string): boolean {
  return readPredicate('be', word).slot !== undefined;
}
export const ATTRIBUTES = words(
  'favourite favorite name colour color size age status birthday deadline budget version language email address phone number price password salary priority limit date',
);
/** Behind these, what was moved is somewhere else. */
export const TARGET_PREPOSITIONS = words('to into in onto on from at under behind near');
/** Say how much or how good, not which. Left out of names. */
export const LOOSE_ADJECTIVES =
  words(`few many several more most own other such new great nice good amazing awesome beautiful lovely big small little huge cool fun special whole
  first last next same different`);

/** What these verbs introduce is an opinion or a wish, not a statement. */
export const OPINION_VERBS = words(
  'think guess believe hope wish wonder suppose imagine doubt pretend dream assume expect feel say tell ask claim mean suspect fear',
);
/** Carry no relation that would stand alone. */
export const EMPTY_VERBS = words('let seem appear sound look thank hope wish guess think suppose mean matter tend do bet wonder feel name');
/** Say nothing of what somebody does when nothing follows them. */
export const NO_HABITS: ReadonlySet<string> = new Set([
  ...OPINION_VERBS,
  ...EMPTY_VERBS,
  ...words(`be have do agree disagree know understand see care mind remember forget promise apologise apologize need want like love hate come go leave try wait stay die exist
  happen win lose fail count hurt work live hear get use start stop begin continue end quit finish return arrive help change move speak listen look watch ask answer reply decide
  regret struggle concede insist admit`),
]);
/** "Smoking", as the object of "quit". */
export function gerundOf(verb: string): string {
  if (/[^aeiou]ie$/.test(verb)) return `${verb.slice(0, -2)}ying`;
  if (/[^aeo]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  return `${verb}${/^[^aeiou]*[aeiou][^aeiouwxy]$/.test(verb) ? verb.at(-1) : ''}ing`;
}
export const HYPOTHETICAL = words('would could might may should must ought shall');

const KIN =
  words(`mother father mom mum dad sister brother daughter son wife husband partner boyfriend girlfriend fiance fiancee aunt uncle cousin niece nephew grandmother
  grandfather grandma grandpa friend colleague coworker boss manager teacher doctor dentist neighbor neighbour roommate flatmate mentor student landlord therapist child kid baby
  dog cat puppy kitten parrot hamster horse`);
const PETS = words('dog cat puppy kitten parrot hamster horse');
/** Nouns that mean somebody only together with whose they are. */
export function isKin(noun: string): boolean {
  return KIN.has(noun.replace(/-in-law$/, ''));
}
export function isPersonNoun(noun: string): boolean {
  return isKin(noun) && !PETS.has(noun);
}

export const STATE_ADJECTIVES = words(
  'vegetarian vegan pescatarian diabetic celiac coeliac pregnant married divorced single engaged widowed deaf blind bilingual dyslexic asthmatic retired unemployed left-handed',
);

/** Words that stand capitalised without being names. */
export const NOT_NAMES =
  words(`i im hey hi hello thanks thank wow yeah yes no ok okay oh lol omg please sorry sure great good well so but and or the a an it its this that these those
  he she they we you my your our his her their what when where who why how which if then there here also just really maybe absolutely definitely congrats congratulations awesome
  amazing cool nice haha hmm ah aw btw fyi todo note update p.s. ps dear mr mrs ms dr sir tv pm am asap yep yup aww
  ugh whoa nah cheers bye goodbye gonna wanna got glad happy keep let take way one two`);

export const ORGANIZATION_SUFFIX =
  /(?:^|\s)(?:inc|corp|corporation|ltd|llc|gmbh|ag|university|college|hospital|company|bank|school|institute|foundation|agency|labs|group|association)\.?$/i;
export const PLACE_SUFFIX =
  /(?:^|\s)(?:street|avenue|road|city|park|river|lake|mountain|mount|island|airport|hall|square|beach|station|bridge|valley|museum)$/i;
export const TITLE = /^(?:mr|mrs|ms|dr|prof|sir|aunt|uncle)\.?\s/i;

export const PLACE_PREDICATES =
  /^(?:(?:no longer |not |used to |will |want to |plan to )?(?:live|move|travel|go|fly|relocate|drive|be born|grow up|stay|settle|arrive|be based|be located|be from|be)(?: back)?(?: in| to| from| near)|(?:want to |will |plan to |not )?visit)$/;
export const ORGANIZATION_PREDICATES = /(?:^|\s)(?:work (?:at|for)|start at|join|be hired by|be employee of|study at|graduate from|found)$/;
export const PRODUCT_PREDICATES =
  /(?:^|\s)(?:use|install|deploy (?:on|to)|be deployed (?:on|to)|migrate to|switch to|run on|depend on|upgrade to|be written in|be built with)$/;
/** Only people (and animals) do this. */
export const PERSON_VERBS = words(
  'live like love hate study marry work enjoy prefer want eat drink adopt teach learn speak visit travel cook paint dance sing write read recommend invite found hire meet own bake knit plan',
);
/** The place belongs to what is moved, not to who moves it. */
export const TRANSFER_VERBS = words('move put migrate transfer rename convert change port switch upgrade place store keep hang park ship bring take');

export const ENGLISH_WORDS =
  words(`the a an i is are was were am be my your our his her their we you he she it they and or but to of in on at for with from by not do does did don't
  have has had will can this that these those who what where when about because so as me us them its been just no`);
export const OTHER_LANGUAGE_WORDS =
  words(`der die das und ist nicht ich wir mit ein eine auf für den dem zu sie war hat im le la les des est une je pas dans il elle nous vous et un du avec
  pour que qui el los las es yo con por una del mi su muy no' che non sono di per con gli mio de het een niet ik van en op voor jag och är det att inte em não uma eu do' você
  na się jest nie to' że z w ve bir bu için ja on' minä olen`);
