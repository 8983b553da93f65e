import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A script that a benchmark runs in a process of its own, beside the module that names it: compiled, or as source. Node strips the types, and
 * the condition resolves our packages to theirs.
 * @param name without its ending
 */
export function childScript(name: string, moduleUrl: string): { readonly path: string; readonly flags: readonly string[] } {
  const extension = extname(moduleUrl);
  return {
    path: fileURLToPath(new URL(`./${name}${extension}`, moduleUrl)),
    flags: extension === '.ts' ? ['--conditions=@tandem-memory/source', '--disable-warning=ExperimentalWarning'] : [],
  };
}
