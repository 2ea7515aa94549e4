import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays, today } from '../../../../api/explorer/assets/format.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { startApi } from '../../../support/api/api.ts';
import { axeFindings, WIDTH_RULES } from '../../../support/api/axe.ts';
import { useExplorer } from '../../../support/api/explorer.ts';
import { describeStations, insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { runSnippet } from '../../../support/documents/snippets.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { isLong, itLong } from '../../../support/long.ts';
import { newFolder } from '../../../support/test-run.ts';

const LOADS = [
  '--source demo --stations XAAA --from 2022-12-01 --to 2024-02-01',
  '--source demo --stations XAAE,XAAG --from 2024-01-01 --to 2024-02-01',
];

/** From 2024-01-01, 05:00 UTC: 0 h in New York. In each noon 0.1 in of rain; by the hour 40° with up to 23 kt. */
const gaugeReport = (hour: number) =>
  report({
    station: 'XGAU',
    at: new Date(Date.parse('2024-01-01T05:00Z') + hour * 3_600_000).toISOString(),
    decoded: {
      cavok: true,
      temp_c: String((hour % 24) - 5),
      wdir: hour % 24 < 12 ? 40 : 85,
      wspd_kt: hour % 24,
      station_type: 'AO2',
      ...(hour % 24 === 12 && { pcp1h_in: 0.1 }),
    },
  });

/** The labels of charts that overlap another label by more than a letter may exceed its line, or leave their chart. */
const UNREADABLE_LABELS = `[...document.querySelectorAll('svg')].flatMap((chart) => {
  const { left, right } = chart.getBoundingClientRect();
  const labels = [...chart.querySelectorAll('text')].map((label) => [label.textContent, label.getBoundingClientRect()]);
  const isOver = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return labels.filter(([, box], at) => box.left < left - 1 || box.right > right + 1 || labels.slice(at + 1).some(([, other]) => isOver(box, other))).map(([text]) => text);
})`;

describe('the page at /', () => {
  const archive = useArchive();
  const explorer = useExplorer(async () => {
    for (const load of LOADS) await loadWith(archive.client, demo(), load);
    // Two hours of ten days are too few for a climate; there is nothing of XAAC.
    const times = ['2024-01-01T12:00:00Z', '2024-01-10T12:00:00Z'];
    await insert(archive.client, ...times.map((at) => put(report({ station: 'XAAB', at }))));
    // Two months in New York with a gauge, a wind that turns and grows with the hour, and two runways.
    await insert(archive.client, ...Array.from({ length: 60 * 24 }, (_, hour) => put(gaugeReport(hour))));
    const runways = [
      { ident: '04', heading_deg: 40, length_m: 2000 },
      { ident: '13', heading_deg: 130, length_m: 3000 },
      { ident: '22', heading_deg: 220, length_m: 2000 },
    ];
    const place = { country: 'US', latitude: 40.6, longitude: -73.8, elevation_m: 4, release: 'test' };
    const aerodromes = [{ station: 'XGAU', name: 'Gauge Island', runways, ...place }];
    await archive.client.insert({ table: 'aerodromes', rows: aerodromes });
    await describeStations(archive.client, [
      { source: 'iem', station: 'XGAU', timezone: 'America/New_York' },
      { source: 'iem', station: 'XAAB', name: 'Example', country: 'NO' },
      { source: 'iem', station: 'XAAC', name: 'Without reports', country: 'NO' },
    ]);
    return startApi(archive.client);
  });
  const { heading, button, becomesTrue } = explorer;
  const text = async (selector: string) =>
    (await explorer.page.locator(selector).first().textContent()) ?? '';
  /** Checks that a chart does not move when the pointer is on its last part, and reads what it then shows. */
  const staysInPlace = async (selector: string, part: string, read: RegExp) => {
    const shown = explorer.page.locator(selector).first();
    const top = () =>
      shown.evaluate(
        (each) => each.getBoundingClientRect().top + (each.ownerDocument.defaultView?.scrollY ?? 0),
      );
    const before = await top();
    await explorer.page.locator(part).last().hover();
    await explorer.page.getByText(read).first().waitFor();
    assert.equal(await top(), before, selector);
  };
  const chart = (label: RegExp) => explorer.page.getByRole('img', { name: label });

  it('1: has an address for each view, which a new tab opens without a key, and one step back for each choice', async () => {
    const { page, context, api } = explorer;
    const key = await api.createKey();
    const path = '/?station=XAAA&span=day&day=2024-01-20&year=2023&color=fog';
    // The code of a station is written in capitals before a link can be copied.
    await explorer.open(path.replace('XAAA', 'xaaa'), key);
    await heading('2024-01-20').waitFor();
    await heading('2023, day by day').waitFor();
    assert.equal(await page.getByLabel('colored by').inputValue(), 'fog');
    await page.locator('#year .legend', { hasText: 'mean of the day' }).waitFor();
    // The key is in no address, no request, no cookie and no log.
    assert.equal(page.url(), api.url + path);
    assert.ok(explorer.requests.every((request) => !request.url().includes(key)));
    assert.ok(!api.logLines.join().includes(key));
    assert.deepEqual(await context.cookies(), []);

    await button('week').click();
    await heading('2024-01-14 to 2024-01-20').waitFor();
    await page.getByRole('navigation', { name: 'Years' }).getByRole('button', { name: /^2024/ }).click();
    await heading('2024, day by day').waitFor();
    assert.equal(explorer.query(), '?station=XAAA&year=2024&color=fog');
    await page.goBack();
    await heading('2023, day by day').waitFor();
    await page.goBack();
    await heading('2024-01-20').waitFor();

    const tab = await context.newPage();
    await tab.goto(page.url());
    await tab.getByRole('heading', { name: '2023, day by day' }).waitFor();
    assert.equal(await tab.getByLabel('API key').count(), 0);
    await tab.getByRole('button', { name: 'Forget the key' }).click();
    await tab.getByLabel('API key').waitFor();
    await tab.close();
    // Forgotten in one tab is forgotten in all.
    await page.getByLabel('API key').waitFor();
    const kept = '[...Object.keys(localStorage), ...Object.keys(sessionStorage)]';
    assert.deepEqual(await page.evaluate(kept), []);
  });

  it('2: shows first who, where and the newest report, then the last days in one chart and all years in one strip', async () => {
    const { page } = explorer;
    await explorer.open('/?station=XAAA');
    const week = 'XAAA: temperature, wind, weather, ceiling and visibility of 2024-01-25 to 2024-01-31';
    await chart(new RegExp(`^${week}, from \\d+ reports$`)).waitFor();
    await page.locator('.years button').nth(19).waitFor();
    assert.match(await text('h1'), /^XAAA /);
    // Each day of the week has a night.
    assert.match((await page.locator('#period .night').last().getAttribute('d')) ?? '', /^(M[^M]+){7,8}$/);
    assert.match(await text('.facts'), /\d+\.\d\d° [NS].*\d+ m.*\d\d:\d\d/);
    await page.locator('.citations li', { hasText: 'Synthetic reports of this program' }).waitFor();
    assert.match(await text('.badge'), /^(VFR|MVFR|IFR|LIFR)$/);
    assert.match(await text('.raw'), /^(METAR|SPECI) XAAA 31\d{4}Z /);
    const years = page.locator('.years button');
    assert.equal(await years.count(), new Date().getUTCFullYear() - 2004);
    assert.equal(await years.nth(19).getAttribute('aria-pressed'), 'true');
    // The address keeps the units and the time of the axis.
    await page.getByLabel('Units and time').click();
    await page.getByLabel(/^temperature/).selectOption('°F');
    await page.getByLabel(/^time/).selectOption('local');
    await page.locator('#period .lane-name', { hasText: 'Temperature °F' }).waitFor();
    await page.locator('#period .axis text', { hasText: /^local$/ }).waitFor();
    assert.match(await text('.words'), /Temperature \d+ °F, /);
    assert.equal(explorer.query(), '?station=XAAA&time=local&units=f');
  });

  it('2: leads the tab key to each control with a visible focus, and needs no mouse for any of them', async () => {
    const { page } = explorer;
    await explorer.open('/?station=XAAA');
    await page.locator('#climate').scrollIntoViewIfNeeded();
    await page.locator('.climate :is(svg, .cells)').nth(7).waitFor();
    await page.evaluate('scrollTo(0, 0)');
    const controls = 'a[href], button:not(:disabled), summary, select, input, [tabindex="0"]';
    await page.evaluate(`globalThis.unseen = []; addEventListener('focusin', ({ target }) => {
      target.setAttribute('data-reached', '');
      if (getComputedStyle(target).outlineStyle === 'none') unseen.push(target.outerHTML.slice(0, 80));
    })`);
    const count = await page.evaluate<number>(`document.querySelectorAll('${controls}').length`);
    for (let at = 0; at < count; at += 1) await page.keyboard.press('Tab');
    const missed = `[...document.querySelectorAll('${controls}')]
      .filter((each) => each.tabIndex === 0 && each.checkVisibility() && !each.hasAttribute('data-reached'))
      .map((each) => each.outerHTML.slice(0, 80))`;
    assert.deepEqual(await page.evaluate(`({ unseen, missed: ${missed} })`), { unseen: [], missed: [] });

    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // The years and the days are one stop each, in which the arrow keys move.
    await page.locator('.years [tabindex="0"]').focus();
    await press('ArrowLeft', 'Home', 'ArrowRight');
    assert.match((await page.locator('.years button:focus').textContent()) ?? '', /2006/);
    // The arrow keys read the chart, and a button shows its numbers.
    await page.locator('#period .lanes').focus();
    await press('ArrowLeft');
    assert.match(
      await text('.lanes .readout'),
      /^2024-01-31 \d\d:\d\d UTC.* °C · .* kt · \S+ SM · .*(VFR|IFR)\s*$/,
    );
    await press('Tab', 'Enter');
    await page.getByRole('region', { name: 'Numbers of the chart' }).waitFor();
    // Escape closes a menu and the field of a comparison, and the focus is where it was; so does leaving a menu.
    await press('Tab', 'Enter', 'Tab');
    await page.locator('.menu[open] button:focus', { hasText: 'CSV' }).waitFor();
    await press('Escape');
    await page.locator('.menu:not([open]) summary:focus').waitFor();
    await press('Enter', 'Shift+Tab');
    assert.equal(await page.locator('.menu[open]').count(), 0);
    await button('Compare').press('Enter');
    await page.locator('input[name="other"]:focus').waitFor();
    await press('Escape');
    await page.locator('button:focus', { hasText: 'Compare' }).waitFor();
  });

  it('3: colors the days of a year by a choice, leads from a day to its reports, and draws the year over the other years', async () => {
    const { page } = explorer;
    await explorer.open('/?station=XAAA');
    const day = (date: string) => page.locator(`[data-day="${date}"]`);
    await chart(/^Temperature of XAAA in 2024 over 2022–2023\. /).waitFor();
    await heading('Temperature of XAAA in 2024 over 2022–2023').waitFor();
    await page.locator('#year .legend', { hasText: 'lowest to highest of 2022–2023' }).waitFor();
    const label = (await day('2024-01-20').getAttribute('aria-label')) ?? '';
    assert.match(label, /^2024-01-20: mean temperature .* °C, \d+ of 24 hours$/);
    await page.locator('[data-day="2024-03-20"][aria-label="2024-03-20: not loaded yet"]').waitFor();
    await page.getByLabel('colored by').selectOption('wind');
    await page.locator('[data-day="2024-01-20"][aria-label*="mean wind"]').waitFor();
    assert.match(explorer.query(), /color=wind/);
    const image = (date: string) =>
      day(date).evaluate(
        (element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundImage,
      );
    assert.notEqual(await image('2024-01-20'), await image('2024-03-20'));
    await day('2024-01-20').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await heading('2024-01-27').waitFor();
    await page.locator('.report-list time', { hasText: '2024-01-27' }).first().waitFor();
    await page.locator('.report-list summary').first().click();
    assert.match(await text('.report-list details[open] p'), /Temperature/);
    assert.match(await text('.report-list details[open] dl'), /temp_c/);
  });

  it('4: shows the climate with what it counts, and says so where there are too few hours', async () => {
    const { page } = explorer;
    await explorer.open('/?station=XAAA');
    await page.locator('#climate').scrollIntoViewIfNeeded();
    assert.match(
      await text('#climate .sentence'),
      /^2022-12-01 to 2024-01-31\. Days are .*\. Fewer than ten years are no climate yet\.$/,
    );
    await page.getByText('No month has a total: it takes a gauge').waitFor();
    for (const id of ['temperature-by-month', 'temperature-by-hour', 'wind-rose', 'flight-category']) {
      const picture = page.locator(`#climate-${id}`);
      await picture.locator(':is(svg, .cells)').first().waitFor();
      const counts = await picture.locator('.counts').last().textContent();
      assert.match(counts ?? '', /, from [\d.]+\u00a0% of the hours/);
    }
    // The share that a ring stands for is written beside the sectors.
    const covered = `[...document.querySelectorAll('.ring-text')].flatMap((text) => {
      const { x, y, width, height } = text.getBoundingClientRect();
      return document.elementsFromPoint(x + width / 2, y + height / 2).filter(({ tagName }) => tagName === 'path');
    }).length`;
    assert.equal(await page.evaluate(covered), 0);
    await staysInPlace('.rose', '.rose g', /^NNW .* hours: below 7 kt .*, 28 kt and more/);
    for (const [path, sentence] of [
      ['/?station=XAAB', /^Only .*\s% of the hours of XAAB have a report: too few/],
      ['/?station=XAAA&years=2015', 'No report of 2015.'],
      ['/?station=XAAE&span=all', /^No month has a mean: /],
      ['/?station=XAAE', /^\d+ of \d+ days with a report in 2024 had a mean temperature: /],
      ['/?station=XAAE&span=year&year=2010', 'No report in these days.'],
    ] as const) {
      await explorer.open(path);
      await page.locator('#climate').scrollIntoViewIfNeeded();
      await page.getByText(sentence).first().waitFor();
    }
  });

  it('4: shows the wind across runways, precipitation and the hours of the reader where there are such', async () => {
    const { page } = explorer;
    await explorer.open('/?station=XGAU');
    const lanes = page.locator('#period .lane-name');
    await lanes.getByText('Crosswind of 04/22 kt').waitFor();
    await page.locator('#period .lanes').focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('085° 23 kt · 16 kt across 04/22 · ').waitFor();
    await page.getByLabel('runway').selectOption('13/31');
    await lanes.getByText('Crosswind of 13/31 kt').waitFor();
    assert.equal(explorer.query(), '?station=XGAU&runway=13');
    await page.locator('#climate').scrollIntoViewIfNeeded();
    const barsOf = async (id: string) => {
      await page.locator(`${id} .bar-text`).first().waitFor();
      return (await page.locator(`${id} .bar-text`).allTextContents()).filter((bar) => bar !== '–');
    };
    // 31 and 29 days of 2.54 mm. Of 24 hours 15, 22 and 24 have at most 10, 15 and 20 kt across 04/22.
    assert.deepEqual(await barsOf('#climate-precipitation'), ['79', '74']);
    assert.deepEqual(await barsOf('#climate-crosswind'), ['62', '62', '91', '91', '100', '100']);
    await page.getByText('XGAU 13/31, 04/22. The mean wind counts').waitFor();
    const hottest = page.locator('#climate-temperature-by-hour .cells .day').nth(23);
    await hottest.hover();
    await page.getByText(/^Jan 23:00: mean 13\.0 °C, of 31 hours$/).waitFor();
    await page.goto(`${page.url()}&time=local`);
    await page.locator('#climate').scrollIntoViewIfNeeded();
    await hottest.hover();
    await page.getByText(/^Jan 23:00: mean 18\.0 °C, of 31 hours$/).waitFor();
    assert.deepEqual(await axeFindings(page, { part: '#period' }), []);
    assert.deepEqual(explorer.problems, []);
  });

  it('2: shows the days that a drag or keys select in the chart, and leads back', async () => {
    const { page } = explorer;
    await explorer.open('/?station=XAAA&span=month');
    await chart(/^XAAA: temperature/).waitFor();
    const { x, y, width } = (await page.locator('#period svg').first().boundingBox()) ?? assert.fail();
    // The middle of a day in January, between the labels of the axis and the right edge.
    const at = (day: number) => x + 44 + ((day - 0.5) / 31) * (width - 54);
    await page.mouse.move(at(15), y + 50);
    await page.mouse.down();
    await page.mouse.move(at(10), y + 60, { steps: 3 });
    await page.locator('#period rect.selected').waitFor();
    await page.mouse.up();
    await heading('2024-01-10 to 2024-01-15').waitFor();
    assert.equal(explorer.query(), '?station=XAAA&span=month&day=2024-01-15&days=6');
    await chart(/ of 2024-01-10 to 2024-01-15, from \d+ reports$/).waitFor();
    await page.locator('#period .lanes').focus();
    for (const key of ['Shift+ArrowLeft', 'Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key);
    await heading('2024-01-14 to 2024-01-15').waitFor();
    await page.goBack();
    await heading('2024-01-10 to 2024-01-15').waitFor();
    await button('Earlier').click();
    await heading('2024-01-04 to 2024-01-09').waitFor();
    await button('Back to the month').click();
    await heading('2023-12-10 to 2024-01-09').waitFor();
    await page.goto(`${explorer.api.url}/?station=XAAA&day=2024-01-15&days=6`);
    await page.locator('[data-day="2024-01-05"]').click();
    await heading('2024-01-05').waitFor();
    assert.equal(explorer.query(), '?station=XAAA&span=day&day=2024-01-05&year=2024');
  });

  it('4: saves what a request gives, and copies requests that run as they are', async () => {
    const { page, api, context } = explorer;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const folder = newFolder();
    const key = await api.createKey('starter');
    await explorer.open('/?station=XAAA', key);
    await page.locator('#climate').scrollIntoViewIfNeeded();
    for (const [name, file] of [
      ['the reports', 'XAAA-observations.csv'],
      ['Wind rose', 'XAAA-statistics.csv'],
    ] as const) {
      const copy = async (form: string) => {
        await page.getByLabel(`Save ${name}`).click();
        await button(`Copy ${form} of ${name}`).click();
        await page.keyboard.press('Escape');
        return page.evaluate<string>('navigator.clipboard.readText()');
      };
      await runSnippet({ language: 'sh', code: await copy('curl') }, folder, { KEY: key });
      const csv = await readFile(join(folder, file), 'utf8');
      const rows = csv.trimEnd().split('\n').length - 1;
      assert.ok(rows > 100, `${rows} rows`);
      await page.getByLabel(`Save ${name}`).click();
      const click = page.getByLabel(`CSV of ${name}`).click();
      const [saved] = await Promise.all([page.waitForEvent('download'), click]);
      assert.equal(await readFile(await saved.path(), 'utf8'), csv);
      await page.keyboard.press('Escape');
      const code = await copy('Python');
      const [download = ''] = code.match(/curl -O [^;]+/) ?? [];
      await runSnippet({ language: 'sh', code: download }, folder, { KEY: key });
      assert.match(
        await runSnippet({ language: 'python', code }, folder, { KEY: key }),
        new RegExp(` ${rows}\n$`),
      );
    }
  });

  it('5: compares stations, or years of one, in the same charts', async () => {
    const { page } = explorer;
    await explorer.open('/?station=XAAA');
    await button('Compare').click();
    const other = page.getByLabel('Station or year to compare');
    // The field has the focus.
    await other.waitFor();
    await page.keyboard.type('xaag');
    await page.keyboard.press('Enter');
    await page.locator('#period .legend', { hasText: 'night at XAAA' }).waitFor();
    await chart(/^XAAA, XAAG: temperature, wind, and flight category/).waitFor();
    assert.match(explorer.query(), /with=XAAG/);
    await page.locator('.lanes path.entry-1').first().waitFor();
    // Table, calendar and reports are those of both.
    await page.getByLabel('Table of the chart').first().click();
    for (const name of ['XAAA', 'XAAG'])
      await page.locator('#period-chart td', { hasText: name }).first().waitFor();
    await page.getByLabel('Save the chart').first().click();
    await button('CSV of the chart of XAAG').waitFor();
    await page.locator('#year .calendar').nth(1).waitFor();
    // Whose days a part shows, and of which time.
    await page.locator('.years', { hasText: 'Reports of XAAA by year' }).waitFor();
    assert.match(await text('#year .sentence'), /^XAAA: .*\. Below are days of standard time; /);
    await page.locator('#reports').scrollIntoViewIfNeeded();
    await page.locator('.report-list code', { hasText: 'XAAG' }).first().waitFor();
    await other.fill('2023');
    await page.keyboard.press('Enter');
    await chart(/^Temperature of 2024, 2023 at XAAA over 2022\. /).waitFor();
    assert.equal(explorer.query(), '?station=XAAA&year=2024&years=2023');
    await chart(/^2024, 2023: temperature/).waitFor();
    await other.fill('nil');
    await page.keyboard.press('Enter');
    await page.locator('input:focus:invalid').waitFor();
    await button('Without 2023').click();
    await chart(/^XAAA: temperature/).waitFor();
  });

  it('5: compares four stations, and waits where the limit of the plan is reached', async () => {
    const { page, api } = explorer;
    await explorer.open('/?station=XAAA&with=XAAE,XAAG,XAAB', await api.createKey('starter'));
    await page.locator('#climate').scrollIntoViewIfNeeded();
    await page.locator('#climate-wind-rose svg').nth(2).waitFor();
    // The bars of several stations are too narrow for numbers, so they have an axis.
    await page.locator('#climate-days-with-weather .axis .end').first().waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    assert.deepEqual(await axeFindings(page, { rules: ['heading-order'] }), []);
  });

  it('5: says which compared stations are unknown, have no report in the period, or failed', async () => {
    const { page, api } = explorer;
    await page.route(/observations\?stations=XAAE/, (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.route(/min\(ceiling_ft\)/, (route) => route.fulfill({ status: 500, body: '{}' }));
    await explorer.open('/?station=XAAA&with=XAAB,XAAE,ZZZZ&color=ceiling');
    await page
      .getByRole('alert')
      .filter({ hasText: /^The archive holds no report of ZZZZ\.$/ })
      .waitFor();
    await page.locator('#period [role=alert]', { hasText: /^XAAE: / }).waitFor();
    await page.locator('#year [role=alert]').first().waitFor();
    await page.getByLabel('colored by').selectOption('precipitation');
    await page.locator('.key', { hasText: 'not reported' }).first().waitFor();
    await page.locator('#period .legend', { hasText: 'XAAB: no report' }).waitFor();
    await page.locator('#year-temperature .legend', { hasText: 'XAAE: no mean' }).waitFor();
    await explorer.open('/?station=XAAA&with=XAAE&span=all');
    await page.locator('#period .legend', { hasText: 'XAAE: no mean' }).waitFor();
    await page.route(/history\/daily/, (route) => route.fulfill({ status: 500, body: '{}' }));
    await explorer.open('/?station=XAAG');
    await page.locator('#year [role=alert]').first().waitFor();
    await page.route(/history\/monthly/, (route) => route.abort());
    await explorer.open('/?station=XAAA&span=all');
    await page
      .getByText(`No response ${api.url} is not reachable. The page tries again every ten seconds.`)
      .waitFor();
  });

  it('6: finds by code, name, country and position while one types, on a map that zooms, and says how to load the rest', async () => {
    const { page } = explorer;
    await explorer.open('/');
    const found = page.locator('.station-list li');
    await found.nth(4).waitFor();
    const search = page.getByRole('searchbox', { name: 'Find a station' });
    assert.equal(await search.getAttribute('spellcheck'), 'false');
    // One finger scrolls the page.
    await becomesTrue(
      '[...document.querySelectorAll(".map svg")].some((map) => getComputedStyle(map).touchAction === "pan-y")',
    );
    for (const [query, expected] of [
      ['fog', /^XAAG\s+Fog Bank/],
      ['Norway', /^XAAB\s+Example/],
      ['46.9, -44', /^XAAG\s+Fog Bank\s*15 km/],
    ] as const) {
      await search.fill(query);
      await found.filter({ hasText: expected }).first().waitFor();
    }
    // A position is shown at 14 times the scale of the world.
    await becomesTrue(
      'Number(/scale\\(([\\d.]+)/.exec(document.querySelector(".map svg > g").getAttribute("transform"))[1]) > 8',
    );
    assert.match(explorer.query(), /\?q=46/);
    await search.fill('');
    await search.pressSequentially('fog b');
    await page.waitForURL(/\?q=fog\+b$/);
    await search.fill('EGLL');
    const tomorrow = addDays(today(), 1);
    await page
      .getByText(`--source iem --stations EGLL --from ${today().slice(0, 4)}-01-01 --to ${tomorrow}`)
      .waitFor();
    // One step back leads to the page before the search.
    await page.goBack();
    await found.nth(4).waitFor();
    assert.equal(explorer.query(), '');
    const clickFirst = async () => {
      const mark = (await page.locator('.map circle').first().boundingBox()) ?? assert.fail();
      await page.mouse.click(mark.x + 9, mark.y + 5);
    };
    await page.locator('.map text', { hasText: 'Fog Bank' }).waitFor();
    await page.locator('.map use.borders').first().waitFor({ state: 'attached' });
    await clickFirst();
    await page.waitForURL(/\?station=XAA/);
    // Of stations whose marks overlap, a click lets the reader choose.
    await page.route('**/archive/stations', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      Object.assign(data[1], { latitude: data[0].latitude, longitude: data[0].longitude + 0.3 });
      await route.fulfill({ response, json: { data } });
    });
    await page.goto(explorer.api.url);
    await page.locator('.map circle').nth(1).waitFor();
    for (const leave of ['Escape', 'Tab']) {
      await clickFirst();
      await page.locator('.map nav a:focus', { hasText: 'XAAA' }).waitFor();
      await page.keyboard.press(leave);
      await page.locator('.map nav').waitFor({ state: leave === 'Escape' ? 'detached' : 'visible' });
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?station=XAAB/);
    await page.unrouteAll();
    // A station's page leads to the field, and one step back to the station.
    await page.getByRole('link', { name: 'Find a station' }).click();
    await page.locator('input:focus').waitFor();
    await page.goBack();
    await heading(/^XAA/).waitFor();
    await page.goForward();
    await page.locator('input:focus').fill('fog');
    await found.filter({ hasText: 'XAAG' }).waitFor();
    await page.keyboard.press('Enter');
    await heading(/^XAAG/).waitFor();
    await page.goto(`${explorer.api.url}/?station=XAAC`);
    await page.getByText('The archive holds no report of XAAC.').waitFor();
    await page.goto(`${explorer.api.url}/?station=XAAA&day=2020-05-05`);
    await page.getByText('load -- --source iem --stations XAAA --from 2020-04-29 --to 2020-05-06').waitFor();
    await page.goto(`${explorer.api.url}/?station=XAAA&day=2099-05-05`);
    await page.locator('#period', { hasText: /No report of XAAA in these days.*in the future/s }).waitFor();
    // All years are all years, whichever day was chosen.
    await button('all').click();
    await page.locator('#period .sentence', { hasText: '2022-01-01 to 2024-01-31;' }).waitFor();
  });

  it('7: shows stations, map and totals without a key, and says what a link shows', async () => {
    const { page, api } = explorer;
    await page.goto(`${api.url}/?station=XAAE&day=2024-01-05`);
    await page.getByText('This link shows XAAE of 2024-01-05. Its reports need an API key.').waitFor();
    await page.locator('.map circle').first().waitFor();
    await heading(/^[\d\s]+ reports of 5 stations, 2022 to 2024/).waitFor();
    // The command of the operator needs no key either.
    await page.getByRole('searchbox').fill('EGLL');
    await page.getByText('npm run load -- --source iem --stations EGLL').waitFor();
    await page.goBack();
    await page.getByText('This link shows XAAE').waitFor();
    const paths = explorer.requests.map((request) => new URL(request.url()).pathname);
    assert.deepEqual([...new Set(paths.filter((path) => path.startsWith('/v1/')))].sort(), [
      '/v1/history/archive',
      '/v1/history/archive/stations',
    ]);
    // A character without width, as texts that are copied have: a browser sends no such header.
    await page.getByLabel('API key').fill('hist_wr\u200bong');
    await button('Use key').click();
    await page.locator('#key:invalid').waitFor();
    await page.getByLabel('API key').fill('hist_wrong');
    await button('Use key').click();
    await page.getByText('This API key is not valid.').waitFor();
    await page.getByLabel('API key').fill(await api.createKey());
    await page.keyboard.press('Enter');
    await heading('2023-12-30 to 2024-01-05').waitFor();
    // The stations stay when the key is forgotten.
    await page.goto(api.url);
    await button('Forget the key').click();
    await page.getByLabel('API key').waitFor();
    await page.locator('.map circle').first().waitFor();
  });

  it('8: needs no scrolling to the side and at most five screens of a phone, keeps in place what it shows, and is accessible', async () => {
    const { page } = explorer;
    await explorer.open('/?station=XAAA');
    await chart(/^Temperature of XAAA/).waitFor();
    await page.locator('#climate').scrollIntoViewIfNeeded();
    await page.locator('.climate :is(svg, .cells)').nth(7).waitFor();
    // The charts have thousands of elements, which axe takes seconds for.
    for (const colorScheme of isLong ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await axeFindings(page), [], colorScheme);
    }
    await page.emulateMedia({ colorScheme: null });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [path, shown] of [
      ['/', '.map circle'],
      ['/?q=zz', '.map circle'],
      ['/?station=XAAC', '.empty'],
      ['/?station=XAAA&day=2020-05-05', '.empty'],
      ['/?station=XAAA&with=XAAG&span=month', '.lanes svg'],
      ['/?station=XAAA', '.lanes svg'],
    ] as const) {
      await page.goto(explorer.api.url + path);
      await page.evaluate(
        'globalThis.moved = 0; new PerformanceObserver((list) => { for (const { value } of list.getEntries()) globalThis.moved += value }).observe({ type: "layout-shift", buffered: true })',
      );
      await page.locator(shown).first().waitFor();
      const { width, height, moved, hidden } = await page.evaluate<Record<string, number>>(
        `({ width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight, moved: globalThis.moved,
          hidden: [...document.querySelectorAll('pre')].filter((each) => each.scrollWidth > each.clientWidth).length })`,
      );
      assert.deepEqual({ width, hidden }, { width: 390, hidden: 0 }, path);
      assert.ok(Number(height) <= 5 * 844, `${path}: ${height} pixels`);
      // Half of what Google's Web Vitals call good.
      assert.ok(Number(moved) < 0.05, `${path}: layout shift ${moved}`);
    }
    await staysInPlace('#period svg', '#period svg', /°C · .* kt · /);
    assert.deepEqual(await axeFindings(page, { rules: WIDTH_RULES }), []);
    // The chosen year is in view.
    await becomesTrue(
      `(({ left, right }) => left >= 0 && right <= 390)(document.querySelector('.years [aria-pressed="true"]')?.getBoundingClientRect() ?? {})`,
    );
    // The folded sections, too, have no label over another or outside of its chart.
    await page.goto(`${explorer.api.url}/?station=XAAA&with=XAAE,XAAG&span=month`);
    for (const title of ['2024, day by day', 'Climate']) await heading(title).click();
    await page.locator('#climate').scrollIntoViewIfNeeded();
    await page.locator('.climate :is(svg, .cells)').nth(7).waitFor();
    await page.getByText('Units').click();
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await becomesTrue(
        '[...document.querySelectorAll("svg, .menu[open] > div")].map((each) => each.getBoundingClientRect()).every(({ left, right }) => left >= 0 && right <= innerWidth)',
      );
      assert.deepEqual(await page.evaluate(UNREADABLE_LABELS), [], `${width} pixels`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('8: is light or dark as the system prefers or the reader chooses, and so are the documents', async () => {
    const { page, api } = explorer;
    const press = () => button('Switch between light and dark').click();
    const becomes = (scheme: 'light' | 'dark') => page.locator(`html.${scheme}-mode`).waitFor();
    await explorer.open('/');
    await becomes('light');
    await press();
    for (const path of ['/?station=XAAA', '/docs/first-request']) {
      await page.goto(api.url + path);
      await becomes('dark');
    }
    const background = 'getComputedStyle(document.body).backgroundColor';
    assert.equal(await page.evaluate(background), 'rgb(16, 21, 27)');
    await page.goto(api.url);
    await page.locator('.home-search input').waitFor();
    const placeholder = 'getComputedStyle(document.querySelector("input"), "::placeholder").color';
    assert.equal(await page.evaluate(placeholder), 'rgb(158, 172, 185)');
    // The reader chooses what the system prefers, so that the page follows the system again.
    await press();
    await becomes('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await becomes('dark');
    await page.emulateMedia({ colorScheme: null });
    await becomes('light');
  });

  it('9: comes from its own host in at most 60 kB, under a policy that it does not break', async () => {
    const { page, api } = explorer;
    await explorer.open('/?station=XAAA');
    await chart(/^XAAA: temperature/).waitFor();
    const urls = explorer.requests.map((request) => request.url());
    assert.deepEqual(
      urls.filter((url) => !url.startsWith(`${api.url}/`)),
      [],
    );
    assert.deepEqual(explorer.problems, []);
    const files = [...new Set(urls)].filter((url) => !url.includes('/v1/'));
    const sizes = await Promise.all(
      files.map(async (url) => {
        const headers = { 'Accept-Encoding': 'gzip' };
        return Number((await fetch(url, { method: 'HEAD', headers })).headers.get('Content-Length'));
      }),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(
      files.length >= 3 && bytes > 30_000 && bytes <= 60_000,
      `${bytes} bytes of ${files.length} files`,
    );
    const links = await page
      .locator('a[href^="/"]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    for (const link of links) assert.equal((await fetch(`${api.url}${link}`)).status, 200, link ?? '');
  });

  itLong('works without an error whichever control of a station is used', async () => {
    const { page } = explorer;
    await explorer.open('/?station=XAAA');
    await page.locator('#climate').scrollIntoViewIfNeeded();
    await page.locator('.climate :is(svg, .cells)').nth(7).waitFor();
    const controls = '#content :is(button:not(.day), summary, select), [data-day="2024-01-05"]';
    const count = await page.locator(controls).count();
    assert.ok(count > 40, `${count} controls`);
    for (let at = 0; at < count; at += 1) {
      const control = page.locator(controls).nth(at);
      if (!(await control.isVisible()) || !(await control.isEnabled())) continue;
      const label = (await control.getAttribute('aria-label')) ?? (await control.textContent()) ?? '';
      // Without a station or a year, `Add` says what to write.
      if (label === 'Forget the key' || label === 'Add') continue;
      const address = page.url();
      await control.click();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      assert.deepEqual(explorer.problems, [], label);
      assert.equal(await page.getByRole('alert').count(), 0, label);
      await page.keyboard.press('Escape');
      if (page.url() === address) continue;
      await page.goBack();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    }
  });

  it('reads reports without a key where the operator lets guests in, one request a second', async () => {
    const { page } = explorer;
    const service = await startApi(archive.client, { guestPlan: 'sandbox' });
    await page.goto(`${service.url}/?station=XAAG`);
    await chart(/^XAAG: temperature/).waitFor();
    assert.equal(await page.getByLabel('API key').count(), 0);
    await page.locator('.age', { hasText: '31 days' }).waitFor();
    await page.goto('about:blank');
    await service.stop();
    // None of them is refused.
    assert.deepEqual(explorer.problems, []);
  });
});
