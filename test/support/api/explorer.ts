import { after, afterEach, before, beforeEach } from 'mocha';
import type { BrowserContext, CDPSession, Locator, Page, Request } from 'playwright-core';
import type { TestApi } from './api.ts';
import { openContext, sharedBrowser } from './browser.ts';

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
