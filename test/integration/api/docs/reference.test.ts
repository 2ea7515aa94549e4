import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'mocha';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startApi, type TestApi } from '../../../support/api/api.ts';
import { sharedBrowser } from '../../../support/api/browser.ts';
import { emptyArchive, insert, put, report } from '../../../support/archive/archive.ts';
import { loadDemo } from '../../../support/archive/demo-archive.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const OPERATION = '#operations-history-listObservations';

/** Swagger UI has a button to copy the path inside the button that opens an operation. */
const KNOWN = ['nested-interactive'];

type Violation = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
};

describe('documents in a browser', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  let api: TestApi;
  let browser: Browser;
  before(async () => {
    archive = await emptyArchive();
    await loadDemo(archive.client);
    api = await startApi(archive.client);
    browser = await sharedBrowser();
  });
  after(async () => {
    await api.stop();
    await archive.close();
  });

  /** Opens a page; whatever the content security policy or a script complains of fails the test. */
  async function open(path: string) {
    const context: BrowserContext = await browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(api.url))
        complaints.push(request.url());
    });
    await page.goto(api.url + path);
    return { page, complaints, close: () => context.close() };
  }

  async function findViolations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
    await page.evaluate(AXE);
    const options = JSON.stringify(rules ? { runOnly: rules } : {});
    const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>(
      `axe.run(${options})`,
    );
    return violations
      .filter(({ id, impact }) => ['serious', 'critical'].includes(impact) && !KNOWN.includes(id))
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 100)).join(' | ')}`);
  }

  it('send a request from the reference with the key that was entered', async () => {
    const { page, complaints, close } = await open('/docs');
    await page.click('.btn.authorize');
    await page.fill('.auth-container input', await api.createKey('starter'));
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.btn-done');
    await page.click(`${OPERATION} .opblock-summary-control`);
    await page.click(`${OPERATION} .execute`);
    const status = page.locator(`${OPERATION} .live-responses-table .response .response-col_status`);
    assert.match(String(await status.textContent()), /^200/);
    const answer = page.locator(`${OPERATION} .live-responses-table .response .microlight`).first();
    assert.match(String(await answer.textContent()), /"station": "XAA[AB]"/);
    assert.deepEqual(complaints, []);
    await close();
  });

  for (const path of ['/docs', '/docs/first-request', '/docs/decoded-fields', '/docs/errors/rate_limited'])
    it(`have nothing serious for axe and fit the screen, in the light, in the dark and on a phone: ${path}`, async () => {
      const { page, complaints, close } = await open(path);
      const openOperation = async () => {
        if (path !== '/docs') return;
        await page.click(`${OPERATION} .opblock-summary-control`);
        await page.waitForSelector(`${OPERATION} .execute`);
      };
      await openOperation();
      const fits = async () =>
        assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0);
      assert.deepEqual(await findViolations(page), []);
      await fits();
      await page.emulateMedia({ colorScheme: 'dark' });
      // Swagger UI looks at the colour scheme when it starts.
      await page.goto(api.url + path);
      await openOperation();
      assert.deepEqual(await findViolations(page, ['color-contrast', 'link-in-text-block']), []);
      await page.setViewportSize({ width: 360, height: 740 });
      assert.deepEqual(await findViolations(page, ['color-contrast', 'scrollable-region-focusable']), []);
      await fits();
      assert.deepEqual(complaints, []);
      await close();
    });

  it('show examples with the own host of the reader, and stations and a month that the archive holds', async () => {
    const reports = ['QXAB', 'QXAC'].map((station) => put(report({ station, at: '2024-03-20T12:00:00Z' })));
    await insert(archive.client, ...reports);
    const fresh = await startApi(archive.client);
    const page = await browser.newPage();
    await page.goto(`${fresh.url}/docs/first-request`);
    const code = page.locator('pre code');
    await code
      .filter({ hasText: `${fresh.url}/v1/` })
      .first()
      .waitFor();
    const text = (await code.allTextContents()).join('\n');
    assert.doesNotMatch(text, /127\.0\.0\.1:8080|XAA|2024-0[12]/);
    assert.match(text, /stations=QXAB&from=2024-03-01T00:00:00Z&to=2024-03-02T00:00:00Z/);
    assert.match(text, /"stations": "QXAB,QXAC"/);
    await page.close();
    await fresh.stop();
  });

  it('let the keyboard skip to the content', async () => {
    const { page, close } = await open('/docs/errors');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'content');
    await close();
  });
}).timeout(120_000);
