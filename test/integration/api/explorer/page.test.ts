import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { startApi } from '../../../support/api/api.ts';
import { countColouredPixels } from '../../../support/api/browser.ts';
import { useExplorer } from '../../../support/api/explorer.ts';
import { insert, put, report } from '../../../support/archive/archive.ts';
import { describeStations } from '../../../support/archive/descriptions.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';

const LOAD = '--source demo --stations XAAA,XAAE,XAAG --from 2024-01-01 --to 2024-02-01';

describe('the page at /', () => {
  const archive = useArchive();
  const explorer = useExplorer(async () => {
    await loadWith(archive.client, demo(), LOAD);
    const described = { source: 'iem', station: 'XAAB', name: 'Example', country: 'NO' } as const;
    await insert(archive.client, put(report({ station: 'XAAB', at: '2024-01-01T12:00:00Z' })));
    await describeStations(archive.client, [described]);
    return startApi(archive.client, { demo: true });
  });

  it('loads every part from its own host, under a policy that it does not break, and colours the years and days that have reports', async () => {
    await explorer.open();
    await explorer.heading('Days of 2024 at XAAA').waitFor();
    await explorer.plots().first().waitFor();
    assert.ok(explorer.requests.length > 20);
    assert.deepEqual(
      explorer.requests
        .map((request) => request.url())
        .filter((url) => !url.startsWith(`${explorer.api.url}/`)),
      [],
    );
    assert.deepEqual(explorer.problems, []);

    const colour = async (label: RegExp) =>
      countColouredPixels(
        explorer.page,
        await explorer.page.getByRole('gridcell', { name: label }).screenshot(),
      );
    assert.ok((await colour(/^XAAG 2024: 31 of 366 days complete/)) > 20);
    assert.equal(await colour(/^XAAG 2019: 0 of 365 days complete/), 0);
    assert.equal(await colour(/^XAAE 2019: no day is due/), 0);
    assert.ok((await colour(/^2024-01-20: complete/)) > 100);
    assert.equal(await colour(/^2024-03-20: not in the archive yet/), 0);
  });

  it('links only to documents that the service has', async () => {
    await explorer.page.goto(`${explorer.api.url}/`);
    const links = await explorer.page
      .locator('a[href]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    assert.ok(links.length > 7);
    for (const link of links) {
      const response = await fetch(new URL(link ?? '', explorer.api.url));
      assert.equal(response.status, 200, link ?? '');
      await response.arrayBuffer();
    }
  });

  it('says without a key what the archive holds, and what a link shows, and names no station or report of it', async () => {
    const { page, api, requests } = explorer;
    await page.goto(`${api.url}/`);
    const tiles = page.locator('#archive-numbers div');
    await tiles.nth(3).waitFor();
    const reports = /^Reportsabout 2,\d\d0$/;
    const expected = [/^Stations4$/, reports, /^Years2024$/, /^Newest report2024-01-31 23:\d\d UTC$/];
    const texts = await tiles.allTextContents();
    for (const [at, pattern] of expected.entries()) assert.match(texts[at] ?? '', pattern);
    assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /XAA/);
    assert.deepEqual(
      requests.map((request) => request.url()).filter((url) => url.includes('/v1/')),
      [`${api.url}/v1/history/archive`],
    );
    await page.goto(`${api.url}/#station=XAAE&from=2024-01-02&to=2024-01-09&type=metar`);
    await page.getByText('This link shows XAAE, 2024-01-02 to 2024-01-09, METAR: ').waitFor();
    await page.getByLabel('API key').fill(await api.createKey());
    await explorer.button('Use key').click();
    await page.locator('#reports-summary', { hasText: 'XAAE, 2024-01-02 to 2024-01-09' }).waitFor();
    assert.ok(await page.locator('#welcome').isHidden());
  });

  it('takes a key out of the link, keeps it for the session only, and sends it in no URL', async () => {
    const { page, api, context } = explorer;
    const key = await api.createKey();
    await explorer.open('station=XAAE', key);
    await explorer.heading('Days of 2024 at XAAE').waitFor();
    assert.equal(page.url(), `${api.url}/#station=XAAE`);
    await page.reload();
    await explorer.heading('Days of 2024 at XAAE').waitFor();
    const urls = explorer.requests.map((request) => request.url());
    assert.deepEqual(
      urls.filter((url) => url.includes(key)),
      [],
    );
    assert.ok(!api.logLines.join().includes(key));
    assert.deepEqual(await context.cookies(), []);
    assert.equal(await page.evaluate('localStorage.length'), 0);
    assert.ok(!(await page.content()).includes(key));
    // No step back leads to an address with the key.
    await page.goBack();
    assert.equal(page.url(), 'about:blank');
    await page.goForward();

    await explorer.button('Forget the key').click();
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    assert.ok(await page.locator('#explorer').isHidden());
    const other = await context.newPage();
    await other.goto(`${api.url}/`);
    assert.ok(await other.getByLabel('API key').isVisible());
    await other.close();
  });

  it('shows the title and detail of an error and where the demo key is printed, and takes the key of another link', async () => {
    const { page, api } = explorer;
    await explorer.open('', 'hist_wrong');
    const alert = page.getByRole('alert');
    await alert.getByText('Invalid credentials').waitFor();
    assert.match((await alert.textContent()) ?? '', /^Invalid credentials This API key is not valid\.$/);
    assert.match(
      (await page.locator('#key-hint').textContent()) ?? '',
      /^The output of npm start has a demo key /,
    );
    // A character without width, as texts that are copied have: `fetch` refuses such a header and sends nothing.
    const sent = explorer.requests.length;
    await page.getByLabel('API key').fill('hist_wr\u200bong');
    await explorer.button('Use key').click();
    const hint = await page.evaluate("document.getElementById('key').validationMessage");
    assert.equal(hint, 'This is no API key: copy it once more.');
    assert.equal(explorer.requests.length, sent);

    await page.goto(`${api.url}/#station=XAAG&key=${await api.createKey()}`);
    await explorer.heading('Days of 2024 at XAAG').waitFor();
    assert.equal(page.url(), `${api.url}/#station=XAAG`);
    assert.ok(await alert.isHidden());
    await page.goto(`${api.url}/#station=XAAG&from=2024-01-03&to=2024-01-02`);
    await alert.getByText('Invalid parameter').waitFor();
    assert.equal(await alert.textContent(), 'Invalid parameter from must be earlier than to.');
  });

  it('returns to the view before with the back button', async () => {
    const { page, api } = explorer;
    await explorer.open('station=XAAE');
    await explorer.heading('Days of 2024 at XAAE').waitFor();
    await page.locator('#stations tbody th', { hasText: 'XAAG' }).click();
    await explorer.heading('Days of 2024 at XAAG').waitFor();
    await explorer.button('Previous year').click();
    await explorer.heading('Days of 2023 at XAAG').waitFor();
    for (const [step, title, fragment] of [
      ['goBack', 'Days of 2024 at XAAG', '#station=XAAG'],
      ['goBack', 'Days of 2024 at XAAE', '#station=XAAE'],
      ['goForward', 'Days of 2024 at XAAG', '#station=XAAG'],
    ] as const) {
      await page[step]();
      await explorer.heading(title).waitFor();
      assert.equal(page.url(), `${api.url}/${fragment}`);
    }
  });

  it('finds stations on the map, by a part of a name and by country', async () => {
    const { page } = explorer;
    await explorer.open();
    await page.locator('#map circle').nth(2).waitFor();
    const box = (await page.locator('#map').boundingBox()) ?? assert.fail();
    await page.mouse.click(
      box.x + (box.width * (12.4 + 180 + 2)) / 360,
      box.y + (box.height * (90 - 23.7)) / 180,
    );
    await explorer.heading('Days of 2024 at XAAE').waitFor();
    assert.match(page.url(), /station=XAAE/);

    const found = page.locator('#stations tbody th');
    await page.getByLabel('Code, name or position').fill('fog');
    await page.getByRole('button', { name: 'Search' }).click();
    await explorer.heading('Days of 2024 at XAAG').waitFor();
    assert.deepEqual(await found.allTextContents(), ['XAAG Fog Bank']);
    assert.match(page.url(), /#q=fog/);

    await page.getByLabel('Code, name or position').fill('46.9, -44');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('1 station by distance.').waitFor();
    assert.deepEqual(await found.allTextContents(), ['XAAG Fog Bank, 15 km']);

    await page.getByLabel('Code, name or position').fill('');
    await page.getByLabel('Country').selectOption('Norway');
    await page.getByRole('button', { name: 'Search' }).click();
    await explorer.heading('Days of 2024 at XAAB').waitFor();
    assert.deepEqual(await found.allTextContents(), ['XAAB Example, Norway']);
    await page.getByLabel('Country').selectOption('Chile');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No station matches.').waitFor();
    assert.ok(await page.locator('#period').isHidden());
  });

  it('works with the keyboard alone', async () => {
    await explorer.page.goto(`${explorer.api.url}/`);
    const press = async (...keys: string[]) => {
      for (const key of keys) await explorer.page.keyboard.press(key);
    };
    const focusByTab = async (selector: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        if (
          await explorer.page
            .locator(selector)
            .evaluate((found) => found === found.ownerDocument.activeElement)
        )
          return;
        await press('Tab');
      }
      assert.fail(`${selector} is not in the tab order`);
    };
    const focused = () => explorer.page.evaluate('document.activeElement.getAttribute("aria-label")');
    await focusByTab('#key');
    await explorer.page.keyboard.type(await explorer.api.createKey());
    await press('Enter');
    await explorer.heading('Days of 2024 at XAAA').waitFor();
    await explorer.plots().first().waitFor();
    assert.ok(await explorer.page.locator('#forget-key').evaluate((button) => button.matches(':focus')));

    await focusByTab('#stations [tabindex="0"]');
    const yearsSince2024 = new Date().getUTCFullYear() - 2024;
    await press('ArrowDown', 'ArrowDown', 'End', ...Array(yearsSince2024).fill('ArrowLeft'), 'Enter');
    await explorer.heading('Days of 2024 at XAAE').waitFor();
    assert.match(String(await focused()), /^XAAE 2024: 31 of 366 days complete/);
    await focusByTab('.skip-link');
    await press('Enter');
    assert.ok(await explorer.page.locator('#main').evaluate((main) => main.matches(':focus')));
    assert.ok(await explorer.heading('Days of 2024 at XAAE').isVisible());
    await focusByTab('#days [tabindex="0"]');
    await press('ArrowRight', 'ArrowRight', ' ');
    await explorer.page.waitForURL(/from=2024-01-03&to=2024-01-10/);
    assert.equal(await focused(), '2024-01-03: complete');
    await explorer.page.locator('#reports-summary', { hasText: 'XAAE, 2024-01-03 to 2024-01-10' }).waitFor();
    await focusByTab('#tab-link');
    await press('ArrowRight');
    assert.match((await explorer.page.getByRole('tabpanel').textContent()) ?? '', /^curl /);
    await focusByTab('[data-format="json"]');
    const [saved] = await Promise.all([explorer.page.waitForEvent('download'), press('Enter')]);
    assert.equal(saved.suggestedFilename(), 'XAAE-2024-01-03-2024-01-10.json');
  });

  it('waits when the limit of the plan is reached, and then goes on', async () => {
    await explorer.open('', await explorer.api.createKey('sandbox'));
    await explorer.page.getByText('The limit of the plan is reached: waiting 1 s.').waitFor();
    await explorer.plots().nth(3).waitFor();
    assert.ok(await explorer.page.getByRole('alert').isHidden());
    assert.match((await explorer.page.locator('#key-plan').textContent()) ?? '', /sandbox/);
  });
});
