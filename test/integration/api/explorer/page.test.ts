import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { recordStationDescriptions } from '../../../../clickhouse/stations/station-descriptions.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { OBSERVATIONS, startApi, type TestApi } from '../../../support/api/api.ts';
import { countColouredPixels, sharedBrowser } from '../../../support/api/browser.ts';
import { insert, NO_LIMIT, put, report } from '../../../support/archive/archive.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';

const LOAD = '--source demo --stations XAAA,XAAE,XAAG --from 2024-01-01 --to 2024-02-01';

/** XAAG sends no report from 5 January 21:56 to 6 January 19:56. */
const PERIOD_WITH_GAP = '#station=XAAG&from=2024-01-02&to=2024-01-12';

describe('the page at /', () => {
  const archive = useArchive();
  let api: TestApi;
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
    await loadWith(archive.client, demo(), LOAD);
    const markup =
      'XAAB 011200Z 18004KT CAVOK 12/07 Q1013 RMK <img src=/x onerror="document.title=1"> <b>BOLD</b>';
    await insert(archive.client, put(report({ station: 'XAAB', at: '2024-01-01T12:00:00Z', raw: markup })));
    const described = { source: 'iem', station: 'XAAB', name: 'Example', country: 'NO' } as const;
    await recordStationDescriptions(archive.client, [described], NO_LIMIT);
    api = await startApi(archive.client, { demo: true });
  });
  after(async () => {
    // A machine without Chromium has none.
    await api?.stop();
  });

  let context: BrowserContext;
  let page: Page;
  let requests: Request[];
  let problems: string[];
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    requests = [];
    problems = [];
    page.on('request', (request) => requests.push(request));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
  });
  afterEach(() => context.close());

  /** Opens the page and enters a key. */
  async function open(hash = '', key?: string): Promise<void> {
    await page.goto(`${api.url}/${hash}`);
    await page.getByLabel('API key').fill(key ?? (await api.createKey()));
    await page.getByRole('button', { name: 'Use key' }).click();
  }
  const heading = (text: string) => page.getByRole('heading', { name: text });
  const plots = () => page.locator('#plots .u-over');

  it('loads every part from its own host, under a policy that it does not break', async () => {
    await open();
    await heading('Days of 2024 at XAAA').waitFor();
    await plots().first().waitFor();
    assert.ok(requests.length > 20);
    assert.deepEqual(
      requests.map((request) => request.url()).filter((url) => !url.startsWith(`${api.url}/`)),
      [],
    );
    assert.deepEqual(problems, []);
  });

  it('links only to documents that the service has', async () => {
    await page.goto(`${api.url}/`);
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    assert.ok(links.length > 7);
    for (const link of links) {
      const response = await fetch(new URL(link ?? '', api.url));
      assert.equal(response.status, 200, link ?? '');
      await response.arrayBuffer();
    }
  });

  it('keeps the key for the session only, and sends it in no URL', async () => {
    const key = await api.createKey();
    await open('', key);
    await heading('Days of 2024 at XAAA').waitFor();
    await page.reload();
    await heading('Days of 2024 at XAAA').waitFor();
    const urls = [page.url(), ...requests.map((request) => request.url())];
    assert.deepEqual(
      urls.filter((url) => url.includes(key)),
      [],
    );
    assert.deepEqual(await context.cookies(), []);
    assert.equal(await page.evaluate('localStorage.length'), 0);
    assert.ok(!(await page.content()).includes(key));

    await page.getByRole('button', { name: 'Forget the key' }).click();
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    assert.ok(await page.locator('#explorer').isHidden());
    const other = await context.newPage();
    await other.goto(`${api.url}/`);
    assert.ok(await other.getByLabel('API key').isVisible());
  });

  it('shows the first station when any control is the first that is used', async () => {
    await open();
    const button = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const firstUses: Readonly<Record<string, () => Promise<unknown>>> = {
      'Whole year': () => button('Whole year'),
      Show: () => button('Show'),
      type: async () => {
        await page.getByLabel('Type').selectOption('speci');
        await button('Show');
      },
      day: () => page.getByRole('gridcell', { name: /^2024-01-20: complete/ }).click(),
      'Previous year': () => button('Previous year'),
      'Next year': () => button('Next year'),
      year: () => page.getByRole('gridcell', { name: /^XAAA 2024: / }).click(),
      search: () => button('Search'),
      CSV: () => Promise.all([page.waitForEvent('download'), button('CSV')]),
    };
    for (const [name, use] of Object.entries(firstUses)) {
      await page.goto('about:blank');
      await page.goto(`${api.url}/`);
      await plots().first().waitFor();
      const summary = page.locator('#reports-summary', { hasText: /^XAAA, 202\d/ });
      await summary.waitFor();
      const idle = page.locator('#status', { hasText: /^(CSV is downloaded\.)?$/ });
      await use();
      await idle.waitFor({ state: 'attached' });
      assert.equal(await page.locator('#error').textContent(), '', name);
      assert.match((await page.locator('#days-title').textContent()) ?? '', /at XAAA$/, name);
      await summary.waitFor();
    }
    assert.deepEqual(problems, []);
  });

  it('says where the demo key is printed, and shows the title and detail of an error', async () => {
    await open('', 'hist_wrong');
    const alert = page.getByRole('alert');
    await alert.getByText('Invalid credentials').waitFor();
    assert.match((await alert.textContent()) ?? '', /^Invalid credentials This API key is not valid\.$/);
    assert.match(
      (await page.locator('#key-hint').textContent()) ?? '',
      /^The output of npm start has a demo key /,
    );
  });

  it('finds a station by a part of its name', async () => {
    await open();
    await page.locator('#stations tbody tr').nth(1).waitFor();
    await page.getByLabel('Code or name').fill('fog');
    await page.getByRole('button', { name: 'Search' }).click();
    await heading('Days of 2024 at XAAG').waitFor();
    assert.deepEqual(await page.locator('#stations tbody th').allTextContents(), ['XAAG Fog Bank']);
    assert.match(page.url(), /#q=fog/);
  });

  it('finds the stations of a country', async () => {
    await open();
    await page.locator('#stations tbody tr').nth(1).waitFor();
    await page.getByLabel('Country').selectOption('Norway');
    await page.getByRole('button', { name: 'Search' }).click();
    await heading('Days of 2024 at XAAB').waitFor();
    assert.deepEqual(await page.locator('#stations tbody th').allTextContents(), ['XAAB Example, Norway']);
    await page.getByLabel('Country').selectOption('Chile');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No station matches.').waitFor();
    assert.ok(await page.locator('#period').isHidden());
  });

  it('finds a station on the map', async () => {
    await open();
    await page.locator('#map circle').nth(2).waitFor();
    const box = (await page.locator('#map').boundingBox()) ?? assert.fail();
    await page.mouse.click(
      box.x + (box.width * (12.4 + 180 + 2)) / 360,
      box.y + (box.height * (90 - 23.7)) / 180,
    );
    await heading('Days of 2024 at XAAE').waitFor();
    assert.match(page.url(), /station=XAAE/);
  });

  it('colours the years and days that have reports, and no others', async () => {
    await open();
    await heading('Days of 2024 at XAAA').waitFor();
    const colour = async (label: RegExp) =>
      countColouredPixels(page, await page.getByRole('gridcell', { name: label }).screenshot());
    assert.ok((await colour(/^XAAG 2024: 31 of 366 days complete/)) > 20);
    assert.equal(await colour(/^XAAG 2019: 0 of 365 days complete/), 0);
    assert.equal(await colour(/^XAAE 2019: no day is due/), 0);
    assert.ok((await colour(/^2024-01-20: complete/)) > 100);
    assert.equal(await colour(/^2024-03-20: not in the archive yet/), 0);
  });

  it('plots the reports, and draws no line across hours without reports', async () => {
    await open(PERIOD_WITH_GAP);
    await plots().nth(3).waitFor();
    const target = `${OBSERVATIONS}?stations=XAAG&from=2024-01-02T00:00:00Z&to=2024-01-12T00:00:00Z`;
    const { data } = (await (await api.get(target)).json()) as { data: { observedAt: string }[] };
    const times = data.map(({ observedAt }) => Date.parse(observedAt));
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    const end = times.findIndex((time, at) => time - (times[at - 1] ?? time) > 20 * 3_600_000);
    const place = (time: number | undefined) => ((time ?? first) - first) / (last - first);
    const gap = { left: place(times[end - 1]) + 0.01, right: place(times[end]) - 0.01 };
    assert.ok(gap.right - gap.left > 0.05, JSON.stringify(gap));
    for (let at = 0; at < 4; at += 1) {
      const png = await plots().nth(at).screenshot();
      assert.ok((await countColouredPixels(page, png)) > 300, `plot ${at}`);
      assert.equal(await countColouredPixels(page, png, gap), 0, `plot ${at}`);
    }
    assert.match(
      (await page.locator('#plots [role=img]').first().getAttribute('aria-label')) ?? '',
      /^Temperature and dew point: temperature from -?\d+ to \d+ °C, .*, \d gaps$/,
    );
  });

  it('shows each report as it was sent, with its decoded fields', async () => {
    await open(PERIOD_WITH_GAP);
    const row = page.locator('#reports tr').first();
    await row.waitFor();
    const target = `${OBSERVATIONS}?stations=XAAG&from=2024-01-02T00:00:00Z&to=2024-01-12T00:00:00Z&include=raw,decoded`;
    const { data } = (await (await api.get(target)).json()) as {
      data: { raw: string; decoded: { temp_c: string } }[];
    };
    assert.equal(await row.locator('code').textContent(), data[0]?.raw);
    assert.equal(await row.locator('dt:text-is("temp_c") + dd').textContent(), data[0]?.decoded.temp_c);
    await page.getByRole('button', { name: `Show more reports (${data.length - 20} left)` }).click();
    assert.equal(await page.locator('#reports tr').count(), 40);
  });

  it('shows markup in a report as text', async () => {
    await open('#station=XAAB&from=2024-01-01&to=2024-01-02');
    const code = page.locator('#reports code');
    await code.waitFor();
    assert.match((await code.textContent()) ?? '', /<img src=\/x onerror=.*> <b>BOLD<\/b>$/);
    assert.equal(await page.locator('#reports img, #reports b').count(), 0);
    assert.equal(await page.title(), 'Historical observations');
  });

  it('offers the request as a link, as curl and as Python, without the key', async () => {
    await open('#station=XAAG&from=2024-01-02&to=2024-01-12&type=speci');
    const panel = page.getByRole('tabpanel');
    const link = `${api.url}${OBSERVATIONS}?stations=XAAG&from=2024-01-02T00:00:00Z&to=2024-01-12T00:00:00Z&type=speci&include=raw,decoded`;
    await panel.getByText(link).waitFor();
    const { data } = (await (await api.get(link.slice(api.url.length))).json()) as { data: unknown[] };
    assert.ok(data.length > 5);
    await page.getByRole('tab', { name: 'curl' }).click();
    assert.equal(await panel.textContent(), `curl -s -H "Authorization: Bearer $KEY" \\\n  '${link}'`);
    await page.getByRole('tab', { name: 'Python' }).click();
    assert.match((await panel.textContent()) ?? '', /"stations": "XAAG",\n.*"from": "2024-01-02T00:00:00Z"/);
  });

  for (const form of ['CSV', 'JSON', 'NDJSON', 'Parquet', 'Arrow'])
    it(`downloads what the interface answers as ${form}`, async () => {
      await open(PERIOD_WITH_GAP);
      await page.locator('#reports tr').first().waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: form, exact: true }).click(),
      ]);
      const extension = form.toLowerCase();
      assert.equal(saved.suggestedFilename(), `XAAG-2024-01-02-2024-01-12.${extension}`);
      const target = `${OBSERVATIONS}.${extension}?stations=XAAG&from=2024-01-02T00:00:00Z&to=2024-01-12T00:00:00Z&type=all&include=raw,decoded&limit=10000`;
      const response = await api.get(target);
      assert.equal(response.status, 200);
      const file = await readFile(await saved.path());
      const expected = Buffer.from(await response.arrayBuffer());
      if (form === 'JSON') {
        const dataOf = (bytes: Buffer) => JSON.parse(bytes.toString()).data;
        assert.deepEqual(dataOf(file), dataOf(expected));
      } else assert.ok(file.equals(expected), `${file.length} bytes instead of ${expected.length}`);
    });

  it('works with the keyboard alone', async () => {
    await page.goto(`${api.url}/`);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focusByTab = async (selector: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        if (await page.locator(selector).evaluate((found) => found === found.ownerDocument.activeElement))
          return;
        await press('Tab');
      }
      assert.fail(`${selector} is not in the tab order`);
    };
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await focusByTab('#key');
    await page.keyboard.type(await api.createKey());
    await press('Enter');
    await heading('Days of 2024 at XAAA').waitFor();
    await plots().first().waitFor();
    assert.ok(await page.locator('#forget-key').evaluate((button) => button.matches(':focus')));

    await focusByTab('#stations [tabindex="0"]');
    const yearsSince2024 = new Date().getUTCFullYear() - 2024;
    await press('ArrowDown', 'ArrowDown', 'End', ...Array(yearsSince2024).fill('ArrowLeft'), 'Enter');
    await heading('Days of 2024 at XAAE').waitFor();
    assert.match(String(await focused()), /^XAAE 2024: 31 of 366 days complete/);
    await focusByTab('.skip-link');
    await press('Enter');
    assert.ok(await page.locator('#main').evaluate((main) => main.matches(':focus')));
    assert.ok(await heading('Days of 2024 at XAAE').isVisible());
    await focusByTab('#days [tabindex="0"]');
    await press('ArrowRight', 'ArrowRight', ' ');
    await page.waitForURL(/from=2024-01-03&to=2024-01-10/);
    assert.equal(await focused(), '2024-01-03: complete');
    await page.locator('#reports-summary', { hasText: 'XAAE, 2024-01-03 to 2024-01-10' }).waitFor();
    await focusByTab('#tab-link');
    await press('ArrowRight');
    assert.match((await page.getByRole('tabpanel').textContent()) ?? '', /^curl /);
    await focusByTab('[data-format="json"]');
    const [saved] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
    assert.equal(saved.suggestedFilename(), 'XAAE-2024-01-03-2024-01-10.json');
  });

  it('waits when the limit of the plan is reached, and then goes on', async () => {
    await open('', await api.createKey('sandbox'));
    await page.getByText('The limit of the plan is reached: waiting 1 s.').waitFor();
    await plots().nth(3).waitFor();
    assert.ok(await page.getByRole('alert').isHidden());
    assert.match((await page.locator('#key-plan').textContent()) ?? '', /sandbox/);
  });
});
