// Takes the pictures of docs/neo4j-browser.md: `node --conditions=@tandem-memory/source test/neo4j/browser/take-pictures.ts`.
import { join } from 'node:path';
import { startNeo4j } from '../../services/neo4j/find-service.ts';
import { tandem } from '../../support/spawn.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { readGuide } from './guide.ts';
import { findChromium, Neo4jBrowser } from './neo4j-browser.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PICTURES = { timeline: 0, 'around-one-thing': 2, connection: 3, relations: 7 };
/** Time for the drawing to come to rest. */
const REST_MS = 3_000;

const chromium = findChromium();
const service = await startNeo4j({ authentication: false });
if (typeof service === 'string' || chromium === undefined) throw new Error(`Neo4j and Chromium are needed: ${String(service)}, ${String(chromium)}`);
try {
  using folder = temporaryFolder();
  const file = join(ROOT, 'examples', 'sample', 'team-chat.jsonl');
  const args = ['ingest', file, '--user', 'team', '--db', join(folder.path, 'indexes.db'), '--graph', service.url];
  const { status, stderr } = await tandem(args);
  if (status !== 0) throw new Error(stderr);
  const { commands, queries } = readGuide();
  const browser = await Neo4jBrowser.open(chromium, service);
  await browser.page.setViewportSize({ width: 1120, height: 720 });
  for (const command of commands) await browser.run(command);
  for (const [name, query] of Object.entries(PICTURES)) {
    await browser.run(queries[query] ?? '');
    await browser.graph();
    await browser.page.getByTitle('Fullscreen', { exact: true }).first().click();
    // Later frames open as the first one was left: without the panel.
    const panel = browser.page.getByLabel('Collapse the node properties display').first();
    if (await panel.isVisible()) await panel.click();
    await browser.page.waitForTimeout(REST_MS);
    await browser.page.getByLabel('zoom-to-fit').first().click();
    await browser.page.waitForTimeout(REST_MS);
    await browser.page.screenshot({ path: join(ROOT, 'docs', 'pictures', `neo4j-${name}.png`) });
    await browser.page.getByTitle('Close fullscreen', { exact: true }).first().click();
  }
  await browser.close();
} finally {
  await service.stop();
}
