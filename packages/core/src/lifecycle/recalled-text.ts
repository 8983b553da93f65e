/**
 * What `retrieve()` packed for a prompt and somebody sent back: the wrapper with its note, to its end, or to the last of its lines where it
 * was cut. Inside, `<` is escaped and further lines are indented, so the first closing mark is the end of the wrapper.
 */
const RECALLED =
  /<memories note="Recalled[^>\n]*>\r?\n(?:[\s\S]*?<\/memories>(?:\r?\n)?|(?:(?:\[\d+\]|\d{4}-\d\d-\d\d| {2})[^\n]*(?:\n|$))*(?:<\/?[a-z]{0,8}$)?)/g;

/** The text without what was recalled from memory: stored again, a memory would confirm itself and be read as if it had just been said. */
export function withoutRecalledText(text: string): string {
  return text.includes('<memories note="Recalled') ? text.replace(RECALLED, '') : text;
}
