import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import { atEndOfRun } from '../test-run.ts';
import type { TestApi } from './api.ts';

/**
 * The page at `/` for the tests of the `describe` block that calls it. They share a tab, in which nothing of the previous test
 * is left: a new tab takes another second of CPU time.
 *
 * @param startService is run once, after the hooks of the block that were added before
 */
export function useExplorer(startService: () => Promise<TestApi>) {
  const explorer = {
    // The hooks add these before the first test.
    ...({} as { api: TestApi; page: Page; context: BrowserContext }),
    /** All requests of the page. */
    requests: [] as Request[],
    /** Exceptions and messages of the console about errors. */
    problems: [] as string[],
    /** Opens a view with a key in the link, as the start message has it. */
    async open(path = '/', key?: string): Promise<void> {
      // A change of only the fragment would not load the page again.
      await explorer.page.goto('about:blank');
      await explorer.page.goto(`${explorer.api.url}${path}#key=${key ?? (await explorer.api.createKey())}`);
    },
    /** The query of the address, as people read it. */
    query: (): string => new URL(explorer.page.url()).search,
    heading: (name: string | RegExp): Locator => explorer.page.getByRole('heading', { name }),
    button: (name: string | RegExp): Locator => explorer.page.getByRole('button', { name, exact: true }),
    /** Not `waitForFunction`, which evaluates a text by `eval` if it is not true at once: the policy of the page forbids that. */
    async becomesTrue(expression: string): Promise<void> {
      while (!(await explorer.page.evaluate<boolean>(expression))) await sleep(50);
    },
  };
  const { requests, problems } = explorer;
  let cache: CDPSession | undefined;
  before(async () => {
    // A machine without Chromium fails before it starts a service.
    await sharedBrowser();
    explorer.api = await startService();
    explorer.context = await openContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    const page = await explorer.context.newPage();
    explorer.page = page;
    cache = await explorer.context.newCDPSession(page);
    page.on('request', (request) => requests.push(request));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
  });
  // A machine without Chromium has none.
  after(async () => {
    await explorer.context?.close();
    await explorer.api?.stop();
  });
  beforeEach(() => {
    requests.length = 0;
    problems.length = 0;
  });
  afterEach(async () => {
    await explorer.page?.unrouteAll();
    await explorer.page?.evaluate('try { localStorage.clear() } catch {}');
    await explorer.page?.goto('about:blank');
    await explorer.page?.mouse.move(0, 0);
    await cache?.send('Network.clearBrowserCache');
  });
  return explorer;
}

/** Waits until a text is in an answer: a page waits for the list of stations only for a moment. */
export async function untilServed(
  api: TestApi,
  path: string,
  text: string,
  key: string | null = null,
): Promise<void> {
  while (!(await (await api.get(path, { key })).text()).includes(text)) await sleep(50);
}

/** The shell takes a third less CPU time than the browser with its windows. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

let started: Promise<Browser> | undefined;

/**
 * The Chromium on the path, one for all test files of a process: each opens pages of its own. Tests that need a browser fail
 * without one.
 */
function sharedBrowser(): Promise<Browser> {
  started ??= startBrowser();
  return started;
}

/** Playwright waits half a minute for what a page is to show: a busy machine may take longer. */
const WAIT_MS = 120_000;

/** A window of its own in the shared browser. */
export async function openContext(options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await (await sharedBrowser()).newContext(options);
  context.setDefaultTimeout(WAIT_MS);
  return context;
}

const OPTIONS = [
  // Tests in a container run as root, where Chromium's sandbox does not work. The pages are those of the test.
  ...['--no-sandbox', '--no-zygote'],
  // One process for all pages, and none that draws as a graphics card would: a fifth less CPU time a page.
  ...['--disable-gpu', '--disable-software-rasterizer', '--in-process-gpu'],
  ...['--process-per-site', '--renderer-process-limit=1'],
];

async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: OPTIONS });
  atEndOfRun(() => browser.close());
  return browser;
}

function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  if (found === undefined)
    throw new Error('No Chromium is on the path. On Debian: apt-get install -y chromium-headless-shell');
  return found;
}
