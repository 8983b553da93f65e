const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it does not exist',
  ELOOP: 'its links lead in a circle',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the path is too long',
};

/** Why the system refused a file, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return REASONS[code] ?? `it cannot be read (${code})`;
}
