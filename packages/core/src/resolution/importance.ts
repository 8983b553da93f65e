/**
 * How much a statement is likely to matter later, by its words, from 0 to 1: health and safety most, then decisions, promises and dates, then
 * what names or numbers somebody; small talk least. A model's own judgement goes before it.
 */
export function importanceOf(text: string): number {
  if (HEALTH.test(text)) return 0.9;
  if (LASTING.test(text)) return 0.8;
  if (COMMITMENT.test(text)) return 0.7;
  const concrete = (/\d/.test(text) ? 1 : 0) + (NAME_INSIDE.test(text) ? 1 : 0);
  return concrete > 0 ? 0.5 + 0.05 * concrete : 0.4;
}

const HEALTH =
  /\b(?:allerg\w*|intoleran\w*|diabet\w*|asthma\w*|epilep\w*|celiac|coeliac|pregnan\w*|disease|diagnos\w*|medication|medicine|prescri\w*|insulin|penicillin|blood type|surgery|surgical|cancer|emergency contact|suicid\w*|heart (?:attack|condition)|anaphyla\w*|epipen)\b|알레르기|당뇨|임신|过敏|糖尿病|怀孕|アレルギー|妊娠/i;
const LASTING =
  /\b(?:decided|decision|agreed to|agreement|married|engaged|divorced?|moved (?:to|from)|lives? in|works? (?:at|for)|born|passed away|died|password|passport|contract|hired|fired|promoted|must never|never eats?|vegetarian|vegan|policy)\b/i;
const COMMITMENT =
  /\b(?:promis\w+|deadline|due (?:on|by)|commit(?:ted|ment)|appointment|scheduled|will (?:\w+ )?(?:by|on)|owes?|remind|birthday|anniversary|budget|launch(?:es)? on)\b/i;
/** A capital that does not open the text. */
const NAME_INSIDE = /\S\s+\p{Lu}\p{L}/u;
