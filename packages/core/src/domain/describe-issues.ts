import type { z } from 'zod';

/** Each wrong field with what it should be: `options.topK: Invalid input: expected int, received string; ...`. Never its value. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], what?: string): string[] {
  return issues.flatMap(specific).map(({ path, message }) => {
    const field = [...(what === undefined ? [] : [what]), ...path].map(String).join('.');
    return field === '' ? message : `${field}: ${message}`;
  });
}

type Problem = Pick<z.core.$ZodIssue, 'path' | 'message'>;

/** Of several forms that a value may have, what is wrong with the one that it comes nearest to. */
function specific(issue: z.core.$ZodIssue): readonly Problem[] {
  if (issue.code !== 'invalid_union') return [issue];
  const isMeant = (form: readonly z.core.$ZodIssue[]) => form.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys');
  const [nearest] = issue.errors.filter(isMeant).sort((a, b) => a.length - b.length);
  return nearest?.flatMap(specific).map(({ path, message }) => ({ path: [...issue.path, ...path], message })) ?? [issue];
}
