/** Text of a message's content: a string, null, or parts. A part that is no text leaves a mark, so that nothing vanishes unseen. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      if (typeof part !== 'object' || part === null) return '';
      if ('text' in part && typeof part.text === 'string') return part.text;
      const type = 'type' in part && typeof part.type === 'string' ? part.type : 'part';
      return CALL_PARTS.has(type) ? '' : `[${type}]`;
    })
    .join('');
}

/** Parts that stand for calls, results and thinking, which the converters read or leave out on purpose. */
const CALL_PARTS = new Set([
  'tool-call',
  'tool-result',
  'tool_use',
  'reasoning',
  'redacted-reasoning',
  'thinking',
  'step-start',
  'input_json_delta',
  'tool_call',
]);
