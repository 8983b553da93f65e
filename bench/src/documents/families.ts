/**
 * Families of texts that say the same in the same words and differ in a few facts, as manuals, contracts and reports do; each becomes one long
 * document with a chapter for each subject. A `{name}` is drawn anew for each. Nowhere but in its title does a chapter name what it is about.
 */
export interface Family {
  /** Title of the document. */
  readonly collection: string;
  /** Title of a chapter. */
  readonly title: string;
  readonly subjects: readonly string[];
  readonly sections: readonly { readonly heading: string; readonly sentences: readonly string[] }[];
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly questions: readonly { readonly question: string; readonly answer: string }[];
}

export const FAMILIES: readonly Family[] = [
  {
    collection: 'Service binder: kitchen appliances',
    title: 'User manual of the dishwasher {subject}',
    subjects: ['Brenta 300', 'Brenta 450', 'Lovis Compact', 'Lovis Grand', 'Tarn S2', 'Tarn S4', 'Okta Mini', 'Okta Max'],
    values: {
      months: ['18 months', '24 months', '30 months', '36 months', '42 months', '48 months', '54 months', '60 months'],
      eco: ['42 degrees', '44 degrees', '46 degrees', '48 degrees', '50 degrees', '52 degrees', '54 degrees', '56 degrees'],
      code: ['E04', 'E07', 'E11', 'E13', 'E17', 'E19', 'E23', 'E29'],
      filter: [
        'every 10 washes',
        'every 15 washes',
        'every 20 washes',
        'every 25 washes',
        'every 30 washes',
        'every 35 washes',
        'every 40 washes',
        'every 45 washes',
      ],
      pressure: ['0.3 bar', '0.4 bar', '0.5 bar', '0.6 bar', '0.7 bar', '0.8 bar', '0.9 bar', '1.0 bar'],
      sets: [
        '6 place settings',
        '8 place settings',
        '9 place settings',
        '10 place settings',
        '12 place settings',
        '13 place settings',
        '14 place settings',
        '16 place settings',
      ],
    },
    sections: [
      {
        heading: 'Safety',
        sentences: [
          'Read this manual before the appliance is switched on for the first time and keep it near the appliance.',
          'Children may use the appliance only when somebody has shown them how, and may not play with the door.',
          'Knives are laid into the upper basket with their points down.',
          'Do not lean or sit on the open door, since the appliance can tip over.',
          'The water inside is not drinking water, whatever it looks like.',
          'Where the mains lead is damaged it has to be exchanged by the service, so that nobody is put in danger.',
          'Pull the plug before the appliance is cleaned or moved.',
        ],
      },
      {
        heading: 'Installation',
        sentences: [
          'Leave the appliance at room temperature for two hours after it was carried in from the cold.',
          'The floor must be level; the feet can be turned with the key from the bag of small parts.',
          'The pressure of the water must be at least {pressure}; below it the inlet valve does not open fully.',
          'Use the new hose that came with the appliance and not the one of the appliance before.',
          'The drain hose rises to at least forty centimetres above the floor before it goes down into the waste pipe.',
          'Built in, the appliance holds {sets}, and the front plate may weigh up to seven kilograms.',
          'Check all connections for leaks after the first wash and again on the day after.',
        ],
      },
      {
        heading: 'Programmes',
        sentences: [
          'The intensive programme is meant for pots and pans with dried or burnt food.',
          'The daily programme measures how dirty the water is and decides by itself how long it washes.',
          'In the economy programme the water is heated to {eco}, which takes the longest time and the least energy.',
          'The quick programme is for lightly soiled dishes that were used within the last hour.',
          'The delay can be set in steps of one hour, up to a whole day.',
          'Half load washes in both baskets but with less water, and saves less than people think.',
        ],
      },
      {
        heading: 'Care and cleaning',
        sentences: [
          'A clean machine washes better, and most complaints end with a look at the filter.',
          'Take out the filter {filter}, rinse it under warm water and brush it from the outside to the inside.',
          'The spray arms are pulled upwards; their holes are cleaned with a toothpick.',
          'The seal of the door is wiped with a damp cloth, without any cleaner that scratches.',
          'Run the hottest programme with an empty machine and a cup of citric acid twice a year.',
          'If the machine is not used for weeks, leave the door open by a hand.',
        ],
      },
      {
        heading: 'When something is wrong',
        sentences: [
          'Before you call the service, switch the appliance off, wait for a minute and switch it on again.',
          'If the dishes stay wet, the rinse aid is empty or the dose is set too low.',
          'The code {code} means that water has run into the base, and the pump goes on until the tap is closed.',
          'A rattle during the wash comes from a spray arm that touches a handle.',
          'White spots are lime and go away when salt is filled in and the hardness is set anew.',
          'If the door does not open after a power cut, wait for ten minutes, since the lock has to cool down.',
        ],
      },
      {
        heading: 'Warranty and service',
        sentences: [
          'The warranty covers faults in material and in workmanship.',
          'It lasts for {months} from the day on which the appliance was bought, and the receipt counts as proof.',
          'Glass, plastic baskets and everything that was broken from outside are not covered.',
          'Repairs by others than the service end it, except for the change of the filter and the spray arms.',
          'Spare parts are kept for ten years after the last appliance of the series was made.',
        ],
      },
    ],
    questions: [
      { question: 'How long is the warranty of the {subject}?', answer: '{months}' },
      { question: 'How hot is the water in the economy programme of the {subject}?', answer: '{eco}' },
      { question: 'Which error code shows water in the base of the {subject}?', answer: '{code}' },
      { question: 'How often has the filter of the {subject} to be rinsed?', answer: '{filter}' },
    ],
  },
  {
    collection: 'Huts of the alpine association: rules and hosts',
    title: 'House rules of the mountain hut {subject}',
    subjects: ['Grauhorn', 'Silberjoch', 'Vallauta', 'Monte Sella', 'Kestrel', 'Blackwater'],
    values: {
      quiet: ['from nine at night', 'from half past nine', 'from ten at night', 'from half past ten', 'from eleven at night', 'from midnight'],
      dinner: ['at five', 'at half past five', 'at six', 'at half past six', 'at seven', 'at half past seven'],
      beds: ['28 beds', '34 beds', '46 beds', '52 beds', '64 beds', '72 beds'],
      shower: ['three francs', 'four francs', 'five francs', 'six francs', 'seven francs', 'eight francs'],
      spring: ['above the chapel', 'below the moraine', 'beside the old stable', 'behind the flagpole', 'under the red rock', 'at the third bend'],
    },
    sections: [
      {
        heading: 'Arrival',
        sentences: [
          'Boots are left in the rack by the entrance and slippers are taken from the basket.',
          'Guests sign the book with their name, the way they came and the way they mean to go.',
          'Whoever comes later than six calls ahead, so that nobody is looked for in vain.',
          'There are {beds} in four rooms, and places are given in the order in which they were booked.',
          'A sleeping bag liner is needed; it can be bought at the desk.',
          'Dogs sleep in the shed, which is warm, and not in the rooms.',
        ],
      },
      {
        heading: 'Meals',
        sentences: [
          'There is one meal in the evening, and it is the same for all.',
          'Soup is served {dinner}, and whoever is not there then gets bread and cheese.',
          'Those who eat no meat say so when they book, not when the plate stands before them.',
          'Food that was carried up may be eaten outside and in the small room.',
          'Tea for the flask is filled in the morning and costs the same as in the evening.',
          'What is left on the table at nine is given to those who carry loads.',
        ],
      },
      {
        heading: 'Water and washing',
        sentences: [
          'Water is scarce from July on, and in some years from June.',
          'Drinking water comes from the spring {spring}; the tap in the washroom is not for drinking.',
          'A warm shower costs {shower} and lasts for three minutes, and a cold one costs nothing.',
          'Socks are not washed in the kitchen.',
          'The toilets are flushed with the water of the roof, so use little after a dry week.',
        ],
      },
      {
        heading: 'Night',
        sentences: [
          'Lights are turned out by the warden, and lamps are carried with a hand before them.',
          'It is to be quiet in the rooms {quiet}, also for those who start early.',
          'Packs are made ready in the evening, since nothing is louder than a bag at four.',
          'The stove is only fed by the warden.',
          'Windows stay open by a finger, whatever the weather.',
        ],
      },
      {
        heading: 'Paying and leaving',
        sentences: [
          'Guests pay in the evening, in cash where the connection is down, and it is down more often than not.',
          'Blankets are folded with the stripe outside.',
          'Rubbish goes down with those who brought it.',
          'The state of the ways is written on the slate by the door each morning.',
        ],
      },
    ],
    questions: [
      { question: 'When must guests be quiet in the {subject} hut?', answer: '{quiet}' },
      { question: 'What does a hot shower cost at the {subject} hut?', answer: '{shower}' },
      { question: 'Where does the drinking water of the {subject} hut come from?', answer: '{spring}' },
      { question: 'At what time is supper in the {subject} hut?', answer: '{dinner}' },
      { question: 'How many people can sleep in the {subject} hut?', answer: '{beds}' },
    ],
  },
  {
    collection: 'River trusts: collected reports of the year',
    title: 'Annual report of the {subject} river trust',
    subjects: ['Ashburn', 'Calder', 'Dunmere', 'Eskdale', 'Farrow', 'Glenwater'],
    values: {
      trees: ['1,150 trees', '2,300 trees', '3,480 trees', '4,720 trees', '5,910 trees', '6,060 trees'],
      salmon: ['212 salmon', '347 salmon', '418 salmon', '563 salmon', '689 salmon', '705 salmon'],
      weir: ['Abbot’s weir', 'the mill weir', 'the gasworks weir', 'the cotton weir', 'Tanner’s weir', 'the brewery weir'],
      income: ['£81,200', '£94,700', '£118,300', '£132,900', '£147,600', '£163,400'],
      chair: ['Ruth Ainsley', 'Piers Halloran', 'Nadia Osei', 'Tom Wetherby', 'Ingrid Sand', 'Meera Pillai'],
    },
    sections: [
      {
        heading: 'A word from the chair',
        sentences: [
          'It has been a year of high water and long meetings, and both have done some good.',
          'I took over from a friend, and I have learned how much of this work is done by people who never ask to be named.',
          'To all who stood in the rain with a clipboard I say thank you, {chair}.',
          'The river does not read our reports, but it shows whether they are true.',
        ],
      },
      {
        heading: 'Work on the banks',
        sentences: [
          'Shade is the cheapest way to keep a river cool, and roots are the cheapest wall.',
          'Along the upper reaches {trees} were set, most of them alder and willow, by schools, scouts and a bank.',
          'Fences were moved back by five metres on nine farms, and cattle drink from troughs now.',
          'Balsam was pulled on fourteen days, and what was pulled was burnt.',
          'One landslip has undone a week of work and is left to itself.',
        ],
      },
      {
        heading: 'Fish and barriers',
        sentences: [
          'A fish that meets a wall does not look for another river.',
          'In spring {weir} was opened with a rock ramp, which took eleven lorries and one very patient digger.',
          'The counter at the tideway has seen {salmon} on their way up, more than in any year since it was built.',
          'Eels still climb the wet brushes at night, and nobody has found a better way.',
          'Two poachers were fined, and one of them has since become a volunteer.',
        ],
      },
      {
        heading: 'Water quality',
        sentences: [
          'Samples are taken at twelve places on the first Monday of each month.',
          'Phosphate has gone down for the third year in a row below the treatment works and up below the golf course.',
          'Nine spills were reported, of which four were seen by anglers before anyone else.',
          'The kits for schools have been used in thirty lessons.',
        ],
      },
      {
        heading: 'Accounts',
        sentences: [
          'The books were examined in February and found to be in order.',
          'Income came to {income}, two thirds of it in grants, and a little more than that was spent.',
          'The reserve would carry the trust for five months.',
          'No trustee was paid, and one paid for the biscuits.',
        ],
      },
    ],
    questions: [
      { question: 'How many trees did the {subject} river trust plant?', answer: '{trees}' },
      { question: 'How many salmon were counted by the {subject} trust?', answer: '{salmon}' },
      { question: 'Which weir did the {subject} trust make passable?', answer: '{weir}' },
      { question: 'What was the income of the {subject} river trust?', answer: '{income}' },
      { question: 'Who chairs the {subject} river trust?', answer: '{chair}' },
    ],
  },
];
