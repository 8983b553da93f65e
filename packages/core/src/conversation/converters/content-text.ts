/** Text of a message's content: a string, null, or parts. A part that is no text leaves a mark, so that nothing vanishes unseen. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      if (typeof part !== 'object' || part === null) return '';
      const type = 'type' in part && typeof part.type === 'string' ? part.type : 'part';
      if (SILENT_PARTS.has(type)) return '';
      return 'text' in part && typeof part.text === 'string' ? part.text : `[${type}]`;
    })
    .join('');
}

/** Parts that stand for calls, results and thinking, which the converters read or leave out on purpose. */
const SILENT_PARTS = new Set([
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
