import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Position } from '../../../../clickhouse/model/report.ts';
import { recordHidden } from '../../../../clickhouse/observations/hidden-reports.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { startApi } from '../../../support/api/api.ts';
import { useExplorer } from '../../../support/api/explorer.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';

const NEWEST = `SELECT station, toUnixTimestamp(observedAt) AS observedAt, type, lower(hex(fingerprint)) AS fingerprint
  FROM observations ORDER BY observedAt DESC LIMIT 1`;

describe('what people take along from the page', () => {
  const archive = useArchive();
  const explorer = useExplorer(async () => {
    await loadWith(archive.client, demo(), '--source demo --stations XAAA --from 2023-12-01 --to 2024-02-01');
    const newest = await selectRows<Position>(archive.client, { query: NEWEST });
    await recordHidden(archive.client, newest, { isHidden: true, reason: 'a broken sensor' });
    return startApi(archive.client);
  });
  const { heading, button, becomesTrue } = explorer;

  const openMenus = () =>
    explorer.page.evaluate('for (const menu of document.querySelectorAll(".menu")) menu.open = true');

  async function openWhole(path: string): Promise<void> {
    const { page } = explorer;
    await explorer.open(path);
    await page.locator('#period svg').waitFor();
    await page.locator('#climate').scrollIntoViewIfNeeded();
    await page.locator('.climate :is(svg, .cells)').nth(7).waitFor();
  }

  /** A link of a chart or report, as it was copied. */
  async function copy(name: string): Promise<string> {
    await openMenus();
    await explorer.page.getByLabel(name, { exact: true }).first().click();
    return explorer.page.evaluate<string>('navigator.clipboard.readText()');
  }

  it('are charts as SVG that needs no style sheet, with captions of two lines, and as PNG', async () => {
    const { page } = explorer;
    await page.setViewportSize({ width: 720, height: 900 });
    await openWhole('/?station=XAAA');
    for (const [figure, file] of [
      ['period-chart', 'XAAA-2024-01-25-2024-01-31'],
      ['year-days', 'XAAA-days'],
      ['climate-wind-rose', 'XAAA-wind-rose'],
    ] as const) {
      const part = page.locator(`#${figure}`);
      await openMenus();
      const read = async (label: string) => {
        const click = part.getByRole('button', { name: new RegExp(`^${label} of `) }).click();
        const [saved] = await Promise.all([page.waitForEvent('download'), click]);
        assert.equal(saved.suggestedFilename(), `${file}.${label.toLowerCase()}`);
        return readFile(await saved.path());
      };
      const svg = (await read('SVG')).toString();
      assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
      // Colors that every program reads, and no class that only the style sheet knows.
      assert.doesNotMatch(svg, /var\(|oklab|color-mix|class=|currentcolor"|undefined|NaN/);
      assert.match(svg, />XAAA Westwind Island<\/text>/);
      assert.ok(svg.includes(`/?station=XAAA&amp;day=2024-01-31#${figure}</text>`), figure);
      const shapes = await page.evaluate<number>(
        `(() => { const file = new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml');
          const drawn = document.body.appendChild(document.importNode(file.documentElement, true));
          const isCut = [...drawn.querySelectorAll('text')].slice(0, -1).some((text) => text.getBoundingClientRect().right > drawn.getBoundingClientRect().right);
          drawn.remove();
          return file.querySelector('parsererror') || isCut ? -1 : file.querySelectorAll('path, rect, circle, line').length; })()`,
      );
      assert.ok(shapes > 20, `${figure}: ${shapes} shapes`);
      const png = await read('PNG');
      const width = Number(/width="([\d.]+)"/.exec(svg)?.[1]);
      assert.deepEqual([png.toString('latin1', 1, 4), png.readUInt32BE(16)], ['PNG', 2 * Math.floor(width)]);
      assert.ok(png.length > 5000);
    }
    assert.deepEqual(explorer.problems, []);
  });

  it('are links that keep the dates of what they show, and lead to the chart', async () => {
    const { page, context } = explorer;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openWhole('/?station=XAAA');
    await button('Copy link').first().click();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(link, `${explorer.api.url}/?station=XAAA&day=2024-01-31`);
    assert.equal(await copy('Copy link of Wind rose'), `${link}#climate-wind-rose`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('about:blank');
    await page.goto(`${link}#climate-wind-rose`);
    const rose = page.locator('#climate-wind-rose');
    await rose.locator('svg').first().waitFor();
    await becomesTrue(
      `(() => { const { top, bottom } = document.querySelector('#climate-wind-rose').getBoundingClientRect(); return top < innerHeight && bottom > 0; })()`,
    );
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('are single reports, each with a link of its own', async () => {
    const { page, api } = explorer;
    await explorer.open('/?station=XAAA');
    await page.locator('#reports').scrollIntoViewIfNeeded();
    // A hidden one says why, and is not the newest of the station.
    const hidden = await page.locator('.report-list code', { has: page.locator('s') }).textContent();
    assert.match(hidden ?? '', /^METAR XAAA 312353Z .* hidden: a broken sensor$/);
    assert.match((await page.locator('.raw').textContent()) ?? '', /^METAR XAAA 312253Z /);
    await page.locator('.report-list summary').nth(3).click();
    const row = page.locator('.report-list li').nth(3);
    const text = await row.locator('code').textContent();
    const href = (await row.getByRole('link', { name: 'This report alone' }).getAttribute('href')) ?? '';
    assert.match(href, /^\/\?station=XAAA&span=day&day=2024-01-31&report=XAAA-20240131\d{4}-[0-9a-f]{8}$/);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('about:blank');
    await page.goto(api.url + href);
    const open = page.locator('.report-list details[open]');
    await open.locator('.fields').waitFor();
    assert.equal(await open.count(), 1);
    assert.equal(await open.locator('code').textContent(), text);
    await becomesTrue(
      `(() => { const { top, bottom } = document.querySelector('.report-list details[open] summary').getBoundingClientRect(); return top > 0 && bottom < innerHeight; })()`,
    );
    assert.match(await page.title(), /^XAAA Westwind Island – 2024-01-31 \d\d:\d\d UTC – /);
    const served = await (await api.get(href, { key: null })).text();
    assert.match(served, /<title>XAAA Westwind Island – 2024-01-31 \d\d:\d\d UTC – /);
    // Another day is no longer that of the report.
    await page.getByLabel('Earlier', { exact: true }).click();
    await heading('2024-01-30').waitFor();
    assert.doesNotMatch(explorer.query(), /report=/);
    await page.goto(api.url + href.replace(/[0-9a-f]{8}$/, '00000000'));
    await page
      .getByRole('alert')
      .filter({ hasText: /^The linked report is not in the archive/ })
      .waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('are all sections on paper, also those that a phone folds, with what was not loaded yet', async () => {
    const { page } = explorer;
    await page.setViewportSize({ width: 390, height: 844 });
    await explorer.open('/?station=XAAA');
    await page.locator('#reports').waitFor();
    assert.equal(await page.locator('.section[open]').count(), 1);
    // The menu of a browser prints at once what is there; what was not loaded is there for the next print.
    const printByMenu = () =>
      page.evaluate<number[]>(`(async () => {
        dispatchEvent(new Event('beforeprint'));
        await undefined;
        const counts = ['.section[open]', '.on-paper', '.climate :is(svg, .cells)'].map((part) => document.querySelectorAll(part).length);
        dispatchEvent(new Event('afterprint'));
        return counts;
      })()`);
    const [sections, missing = 0, drawn] = await printByMenu();
    assert.deepEqual([sections, drawn], [4, 0]);
    assert.ok(missing > 0, 'paper says what was not loaded yet');
    await becomesTrue('document.querySelectorAll(".climate :is(svg, .cells)").length >= 8');
    assert.equal((await printByMenu())[1], 0);
    await explorer.open('/?station=XAAA');
    await page.locator('#reports').waitFor();
    assert.equal(await page.locator('.climate :is(svg, .cells)').count(), 0);
    await page.evaluate(
      'globalThis.printed = []; print = () => printed.push(document.querySelectorAll(".climate :is(svg, .cells)").length)',
    );
    // A busy machine may need longer than one print waits.
    for (
      let prints = 1;
      !(await page.evaluate<boolean>('printed.some((charts) => charts >= 8)'));
      prints += 1
    ) {
      await page.keyboard.press('Control+p');
      await becomesTrue(`printed.length === ${prints}`);
    }
    await page.emulateMedia({ media: 'print' });
    await page.locator('.climate :is(svg, .cells)').nth(7).waitFor();
    await page.locator('.report-list li').nth(5).waitFor();
    assert.equal(await page.locator('.links').first().isVisible(), false);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    // Such as a negative width.
    assert.deepEqual(explorer.problems, []);
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});
