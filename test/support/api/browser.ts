import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
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

/** A part of a picture, from 0 to 1 in each direction. */
type Part = { readonly left: number; readonly right: number };

/** Counts the pixels of a PNG that have a colour, which grey and white have not. Any page can do this. */
export async function countColouredPixels(
  page: Page,
  png: Buffer,
  part: Part = { left: 0, right: 1 },
): Promise<number> {
  const picture = JSON.stringify({ base64: png.toString('base64'), ...part });
  return page.evaluate<number>(`(${COUNT_COLOURED_PIXELS})(${picture})`);
}

/** Text, because this program is compiled without the types of a browser. */
const COUNT_COLOURED_PIXELS = `async ({ base64, left, right }) => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const from = Math.ceil(left * bitmap.width);
  const width = Math.max(1, Math.floor(right * bitmap.width) - from);
  const { data } = context.getImageData(from, 0, width, bitmap.height);
  let coloured = 0;
  for (let at = 0; at < data.length; at += 4) {
    const rgb = [data[at], data[at + 1], data[at + 2]];
    if (Math.max(...rgb) - Math.min(...rgb) > 40) coloured += 1;
  }
  return coloured;
}`;
