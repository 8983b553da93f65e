const MAX_DEPTH = 32;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that can be kept as metadata. One that is nested without end would overflow the stack of whoever walks it. */
export function withoutDeepFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isWithinDepth(value, MAX_DEPTH)));
}

function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((item) => isWithinDepth(item, depth - 1));
}

/** @returns undefined where the text is no JSON list or object */
export function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
