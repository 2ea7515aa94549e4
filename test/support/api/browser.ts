import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { atEndOfRun } from '../end-of-run.ts';

/** The shell takes a third less CPU time than the browser with its windows. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

let started: Promise<Browser> | undefined;

/**
 * The Chromium on the path, one for all test files of a process: each opens pages of its own. Tests that need a browser fail
 * without one.
 */
export function sharedBrowser(): Promise<Browser> {
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
