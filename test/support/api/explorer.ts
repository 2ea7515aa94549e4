import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, afterEach, before, beforeEach } from 'mocha';
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
 * The page at `/` for the tests of the `describe` block that calls `useExplorer`. They share a tab, which nothing of the
 * test before is left in: a new one takes another second of CPU time.
 */
export type Explorer = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** All requests of the page. */
  readonly requests: readonly Request[];
  /** Exceptions and messages of the console about errors. */
  readonly problems: readonly string[];
  /** Opens a view with a key in the link, as the start message has it. */
  open(path?: string, key?: string): Promise<void>;
  /** The query of the address, as people read it. */
  query(): string;
  heading(text: string | RegExp): Locator;
  button(name: string | RegExp): Locator;
};

/** @param startService is run once, after the hooks of the block that were added before */
export function useExplorer(startService: () => Promise<TestApi>): Explorer & { readonly api: TestApi } {
  let [api, context, page, cache]: [TestApi?, BrowserContext?, Page?, CDPSession?] = [];
  let [requests, problems]: [Request[], string[]] = [[], []];
  before(async () => {
    // A machine without Chromium fails before it starts a service.
    await sharedBrowser();
    api = await startService();
    context = await openContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    page = await context.newPage();
    // Some thirty seconds are not enough for all of a busy machine.
    cache = await context.newCDPSession(page);
    page.on('request', (request) => requests.push(request));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
  });
  // A machine without Chromium has none.
  after(async () => {
    await context?.close();
    await api?.stop();
  });
  beforeEach(() => {
    [requests, problems] = [[], []];
  });
  afterEach(async () => {
    await page?.unrouteAll();
    await page?.evaluate('try { sessionStorage.clear(); localStorage.clear() } catch {}');
    await page?.goto('about:blank');
    await page?.mouse.move(0, 0);
    await cache?.send('Network.clearBrowserCache');
  });
  return {
    get api() {
      return given(api);
    },
    get page() {
      return given(page);
    },
    get context() {
      return given(context);
    },
    get requests() {
      return requests;
    },
    get problems() {
      return problems;
    },
    async open(path = '/', key) {
      // Another fragment alone would not load the page again.
      await given(page).goto('about:blank');
      await given(page).goto(`${given(api).url}${path}#key=${key ?? (await given(api).createKey())}`);
    },
    query: () => new URL(given(page).url()).search,
    heading: (name) => given(page).getByRole('heading', { name }),
    button: (name) => given(page).getByRole('button', { name, exact: true }),
  };
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The page is open in tests only');
  return value;
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

/** Tests in a container run as root, where Chromium's sandbox does not work. The pages are those of the test. */
const UNSAFE = ['--no-sandbox', '--no-zygote'];
/** One process for all pages, and none that draws as a graphics card would: a fifth less CPU time a page. */
const FEW_PROCESSES = [
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--in-process-gpu',
  '--process-per-site',
  '--renderer-process-limit=1',
];

async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...UNSAFE, ...FEW_PROCESSES],
  });
  atEndOfRun(() => browser.close());
  return browser;
}

function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = candidates.find(isExecutable);
  if (found === undefined)
    throw new Error('No Chromium is on the path. On Debian: apt-get install -y chromium-headless-shell');
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
