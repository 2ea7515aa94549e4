import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startApi, type TestApi } from '../../../support/api/api.ts';
import { axeFindings, COLOUR_RULES, WIDTH_RULES } from '../../../support/api/axe.ts';
import { openContext } from '../../../support/api/explorer.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { loadDemo } from '../../../support/loader/run-load.ts';
import { itLong } from '../../../support/long.ts';

const DESKTOP = { width: 1280, height: 720 };
const PHONE = { width: 360, height: 740 };
const OPERATION = '#operations-history-getCoverage';

describe('documents in a browser', () => {
  const archive = useArchive();
  let api: TestApi;
  let page: Page;
  let complaints: string[] = [];
  before(async () => {
    await loadDemo(archive.client);
    api = await startApi(archive.client);
    page = await (await openContext()).newPage();
    // Whatever the content security policy or a script complains of fails a test.
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(api.url))
        complaints.push(request.url());
    });
  });
  afterEach(async () => {
    complaints = [];
    await page.emulateMedia({ colorScheme: null });
    await page.setViewportSize(DESKTOP);
  });
  after(async () => {
    await page.context().close();
    await api.stop();
  });

  async function assertAccessible(part = 'html', rules?: readonly string[]): Promise<void> {
    assert.deepEqual(await axeFindings(page, { part, ...(rules && { rules }) }), []);
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0);
  }

  itLong('unfold the formats for a link to one', async () => {
    await page.goto(`${api.url}/docs#/formats/listHoursAsCSV`);
    await page.locator('#operations-formats-listHoursAsCSV.is-open').waitFor();
    assert.deepEqual(complaints, []);
  });

  // Swagger UI takes ten seconds to show all endpoints.
  itLong('fold the paths of formats, and send a request with the key that was entered', async () => {
    await page.goto('about:blank');
    await page.goto(`${api.url}/docs`);
    const formats = page.locator('#operations-tag-formats');
    const observations = page.locator('.opblock', {
      has: page.locator('[data-path^="/v1/history/observations"]'),
    });
    await observations.first().waitFor();
    assert.equal(await observations.count(), 1);
    await formats.getByRole('button').click();
    await observations.nth(5).waitFor();
    await formats.getByRole('button').click();
    await observations.nth(1).waitFor({ state: 'detached' });

    await page.click(`${OPERATION} .opblock-summary-control`);
    await page.waitForSelector(`${OPERATION} .execute`);
    await page.setViewportSize(PHONE);
    await assertAccessible();
    await page.setViewportSize(DESKTOP);
    await page.click('.models-control');
    await page.click('.json-schema-2020-12-expand-deep-button');
    await page.click('.btn.authorize');
    await assertAccessible('.dialog-ux');
    await page.fill('.auth-container input', await api.createKey('starter'));
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.btn-done');
    await page.click(`${OPERATION} .execute`);
    const status = page.locator(`${OPERATION} .live-responses-table .response .response-col_status`);
    assert.match(String(await status.textContent()), /^200/);
    const answer = page.locator(`${OPERATION} .live-responses-table .response .microlight`).first();
    assert.match(String(await answer.textContent()), /"station": "XAA[AB]"/);
    await assertAccessible();
    assert.deepEqual(complaints, []);
  });

  itLong('show the reference in dark colors too', async () => {
    // Swagger UI looks at the color scheme when it starts.
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${api.url}/docs`);
    await page.click(`${OPERATION} .opblock-summary-control`);
    await page.waitForSelector(`${OPERATION} .execute`);
    await assertAccessible(OPERATION);
    assert.deepEqual(complaints, []);
  });

  for (const [path, run] of [
    ['/docs/first-request', it],
    ['/docs/decoded-fields', itLong],
  ] as const)
    run(`have nothing for axe and fit the screen, light, dark and on a phone: ${path}`, async () => {
      await page.goto(api.url + path);
      await assertAccessible();
      await page.emulateMedia({ colorScheme: 'dark' });
      await assertAccessible('html', COLOUR_RULES);
      await page.setViewportSize(PHONE);
      await assertAccessible('html', WIDTH_RULES);
      assert.deepEqual(complaints, []);
    });

  it('show examples with the host that the reader uses, and stations and a month that the archive holds', async () => {
    const reports = ['QXAB', 'QXAC'].map((station) => put(report({ station, at: '2024-03-20T12:00:00Z' })));
    await insert(archive.client, ...reports);
    const fresh = await startApi(archive.client);
    await page.goto(`${fresh.url}/docs/first-request`);
    const code = page.locator('pre code');
    await code
      .filter({ hasText: `${fresh.url}/v1/history/observations?stations=QXAB` })
      .first()
      .waitFor();
    const text = (await code.allTextContents()).join('\n');
    assert.doesNotMatch(text, /127\.0\.0\.1:8080|XAA|2024-0[12]/);
    assert.match(text, /stations=QXAB&from=2024-03-01T00:00:00Z&to=2024-03-02T00:00:00Z/);
    assert.match(text, /"stations": "QXAB,QXAC"/);
    // Answers are those of the demo, with its values.
    await page.goto(`${fresh.url}/docs/statistics`);
    await code.filter({ hasText: 'stations=QXAB' }).first().waitFor();
    const answer = await code.filter({ hasText: '"mean_temp_c": 13' }).textContent();
    assert.match(answer ?? '', /"station": "XAAA"/);
    await fresh.stop();
  });

  it('let the keyboard skip to the content', async () => {
    await page.goto(`${api.url}/docs/errors`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#content:focus').waitFor();
  });
});
