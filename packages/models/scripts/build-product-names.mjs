// Writes ../src/rules/product-names.ts from the names of two collections of brand icons. They are no dependencies: unpack both beside each other and
// pass their folders.
//   npm pack simple-icons @iconify-json/devicon
//   node build-product-names.mjs <simple-icons> <devicon>
import { readFileSync, writeFileSync } from 'node:fs';

const [simpleIcons = '', devicon = ''] = process.argv.slice(2);
const MAX_LINE = 140;
/** What everybody calls these. */
const SHORT = ['postgres', 'k8s', 'aws'];
const VENDOR = /^(?:apache|gnu|microsoft|mozilla) /;

const places = new Set([
  ...Intl.supportedValuesOf('timeZone').map((zone) => keyOf(zone.split('/').at(-1) ?? '')),
  ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((first) =>
    [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((second) =>
      keyOf(new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(first + second) ?? ''),
    ),
  ),
]);

const icons = JSON.parse(readFileSync(`${simpleIcons}/data/simple-icons.json`, 'utf8'));
const { icons: drawn } = JSON.parse(readFileSync(`${devicon}/icons.json`, 'utf8'));
const titles = icons.flatMap(({ title, aliases = {} }) => [
  title,
  ...(aliases.aka ?? []),
  ...(aliases.old ?? []),
  ...(aliases.dup ?? []).map((twin) => twin.title),
]);
const slugs = Object.keys(drawn).map((slug) => slug.replace(/-(?:original|plain|line|wordmark)\b.*$/, ''));
const names = new Set();
for (const title of [...titles, ...slugs]) {
  const lower = title.toLowerCase();
  for (const form of [lower, lower.replace(VENDOR, ''), lower.replace(/\.js$/, ''), lower.replace(/[\d.]+$/, '')]) names.add(keyOf(form));
}
for (const name of SHORT) names.add(name);
const kept = [...names].filter((name) => /^[\p{L}\p{N}+#]{2,30}$/u.test(name) && !/^\p{N}+$/u.test(name) && !places.has(name)).sort();

const lines = [''];
for (const name of kept) {
  const line = `${lines.at(-1)} ${name}`.trim();
  if (line.length > MAX_LINE) lines.push(name);
  else lines[lines.length - 1] = line;
}
writeFileSync(
  new URL('../src/rules/product-names.ts', import.meta.url),
  `/**
 * Names of software, services and brands, without spaces and points, in lower case: the titles of simple-icons (CC0-1.0) and devicon (MIT), less what the
 * runtime knows as a country or as the city of a time zone. Made by ../../scripts/build-product-names.mjs.
 */
const NAMES = \`
${lines.join('\n')}
\`;

let names: ReadonlySet<string> | undefined;

/** Numbers and a small first letter are no form of a place: "Python 3", "iPhone". */
const FORM = /\\d|^\\p{Ll}+\\p{Lu}/u;

/** Whether people name a product or a brand by this: nobody moves house to "Linux" or "PostgreSQL 17". */
export function isProductName(name: string): boolean {
  names ??= new Set(NAMES.trim().split(/\\s+/));
  return FORM.test(name) || names.has(name.toLowerCase().replace(/[\\s._-]+/g, ''));
}
`,
);

function keyOf(name) {
  return name.toLowerCase().replace(/[\s._-]+/g, '');
}
