/** English verbs and nouns whose forms share no stem: the form people ask with ("did she buy"), then those they tell with ("I bought"). */
const FORMS = `go went gone;buy bought;see saw seen;make made;take took taken;get got gotten;give gave given;find found;come came;
become became;begin began begun;write wrote written;tell told;think thought;know knew known;feel felt;leave left;meet met;run ran;win won;
lose lost;teach taught;catch caught;bring brought;build built;send sent;spend spent;sell sold;speak spoke spoken;eat ate eaten;
drink drank drunk;drive drove driven;ride rode ridden;fly flew flown;grow grew grown;draw drew drawn;sing sang sung;swim swam swum;
wear wore worn;break broke broken;choose chose chosen;fall fell fallen;hold held;keep kept;sleep slept;hear heard;pay paid;say said;
stand stood;understand understood;sit sat;steal stole stolen;throw threw thrown;wake woke woken;fight fought;lead led;lend lent;
mean meant;shoot shot;show shown;hide hid hidden;forget forgot forgotten;forgive forgave forgiven;freeze froze frozen;bite bit bitten;
blow blew blown;feed fed;dig dug;hang hung;stick stuck;strike struck;swear swore sworn;tear tore torn;shake shook shaken;
rise rose risen;ring rang rung;sink sank sunk;shrink shrank shrunk;bend bent;lay laid;child children;man men;woman women;
person people;foot feet;tooth teeth;mouse mice;wife wives;life lives;knife knives;leaf leaves;shelf shelves`;

/** The first form by each of the others. */
export const BASE_FORMS: ReadonlyMap<string, string> = new Map(
  FORMS.split(';').flatMap((line) => {
    const [base = '', ...others] = line.trim().split(/\s+/);
    return others.map((form): [string, string] => [form, base]);
  }),
);
