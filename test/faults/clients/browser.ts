import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { listenOnFreePort } from '../../support/listen.ts';

const EXECUTABLE = '/usr/bin/chromium';

/** Sends each URL in the ways in which a page may send requests to another origin. */
const SCRIPT = `
  const image = (url) => new Promise((resolve) => {
    const element = new Image();
    element.onload = element.onerror = resolve;
    element.src = url;
  });
  const form = (url, at) => new Promise((resolve) => {
    document.body.insertAdjacentHTML('beforeend',
      '<iframe name="f' + at + '"></iframe>' +
      '<form method="post" enctype="text/plain" target="f' + at + '"><input name="SELECT 1 --" value="x"></form>');
    document.body.lastElementChild.previousElementSibling.onload = resolve;
    document.body.lastElementChild.action = url;
    document.body.lastElementChild.submit();
  });
  const ignore = () => {};
  async function sendAll(urls) {
    for (const [at, url] of urls.entries()) {
      await image(url);
      await fetch(url, { mode: 'no-cors' }).catch(ignore);
      await fetch(url, { mode: 'no-cors', method: 'POST', body: 'SELECT 1' }).catch(ignore);
      await fetch(url, { mode: 'no-cors', credentials: 'include' }).catch(ignore);
      await form(url, at);
    }
    const readable = await Promise.all(urls.map((url) => fetch(url).then(() => url, ignore)));
    return readable.filter((url) => url !== undefined);
  }`;

export type BrowserResult = {
  /** Method, path and status of each response that the browser got. */
  readonly responses: readonly { readonly method: string; readonly url: string; readonly status: number }[];
  /** What the page could read. */
  readonly readable: readonly string[];
};

/** Opens a page of another origin in Chromium, which sends these URLs as images, by `fetch` and by forms. */
export async function sendFromPage(urls: readonly string[]): Promise<BrowserResult> {
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><body><script>${SCRIPT}</script>`);
  });
  const port = await listenOnFreePort(site);
  // Root may not use the sandbox of Chromium.
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const responses: BrowserResult['responses'][number][] = [];
    page.on('response', (response) => {
      if (urls.includes(response.url()))
        responses.push({
          method: response.request().method(),
          url: response.url(),
          status: response.status(),
        });
    });
    await page.goto(`http://localhost:${port}/`);
    const readable = await page.evaluate<string[]>(`sendAll(${JSON.stringify(urls)})`);
    return { responses, readable };
  } finally {
    await browser.close();
    site.close();
  }
}
