import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Neo4jAddress } from '../../services/neo4j/neo4j-service.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ACTION_TIMEOUT_MS = 60_000;

/** The Chromium of this machine, or undefined. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path));
}

/** Neo4j Browser as the server itself serves it, driven as a person would: typing, and looking at what is drawn. */
export class Neo4jBrowser {
  readonly page: Page;
  readonly #chromium: Browser;

  private constructor(page: Page, browser: Browser) {
    this.page = page;
    this.#chromium = browser;
  }

  static async open(executablePath: string, server: Neo4jAddress): Promise<Neo4jBrowser> {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      page.setDefaultTimeout(ACTION_TIMEOUT_MS);
      await page.goto(`${server.httpUrl}/browser/`, { waitUntil: 'domcontentloaded' });
      await connect(page, server);
      return new Neo4jBrowser(page, browser);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Runs what stands in the editor and waits for its frame, which is the first one then. */
  async run(text: string): Promise<void> {
    const frames = await this.page.getByTestId('frameCommand').count();
    await this.page.getByTestId('activeEditor').click();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.press('Delete');
    await this.page.keyboard.insertText(text.replace(/\s+/g, ' '));
    await this.page.getByTestId('editor-Run').click();
    await this.page.getByTestId('frameCommand').nth(frames).waitFor();
  }

  /** Waits for the graph of the newest frame. */
  async graph(): Promise<{ readonly captions: string[]; readonly relationships: string[] }> {
    const drawing = this.page.getByTestId('frameContents').first().locator('svg.neod3viz');
    await drawing.locator('g.node text').first().waitFor();
    await this.page
      .getByText(/^Displaying \d+ nodes/)
      .first()
      .waitFor();
    const captions = await drawing
      .locator('g.node')
      .evaluateAll((nodes) => nodes.map((node) => [...node.querySelectorAll('text')].map((line) => line.textContent?.trim()).join(' ')));
    const relationships = await drawing.locator('g.relationship').evaluateAll((lines) => lines.map((line) => line.textContent?.trim() ?? ''));
    return { captions, relationships };
  }

  close(): Promise<void> {
    return this.#chromium.close();
  }
}

async function connect(page: Page, { url, username, password }: Neo4jAddress): Promise<void> {
  await page.getByTestId('boltaddress').waitFor();
  await page.getByTestId('bolt-scheme-select').selectOption('bolt://');
  await page.getByTestId('boltaddress').fill(url.replace(/^\w+:\/\//, ''));
  if (username === undefined || password === undefined) {
    await page.getByTestId('authenticationMethod').selectOption({ label: 'No authentication' });
  } else {
    await page.getByTestId('username').fill(username);
    await page.getByTestId('password').fill(password);
  }
  await page.getByTestId('connect').click();
  await page.getByText('Connected to Neo4j').first().waitFor();
}
