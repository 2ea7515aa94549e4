import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import type { PartialDecoded } from '../../../../clickhouse/model/fields.ts';
import { startApi } from '../../../support/api/api.ts';
import { seriousFindings } from '../../../support/api/axe.ts';
import { useExplorer } from '../../../support/api/explorer.ts';
import { insert, put, report } from '../../../support/archive/archive.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';

/** A report each hour of two days in January and two in July, of two years; a day of July has a thunderstorm. */
function reports() {
  return [2022, 2023].flatMap((year) =>
    [0, 1, 48, 49].flatMap((day) =>
      Array.from({ length: 24 }, (_, hour) => {
        const month = day < 2 ? 0 : 6;
        const time = new Date(Date.UTC(year, month, 10 + (day % 2), hour));
        const low = month === 0 && hour === 6;
        const decoded: PartialDecoded = {
          cavok: false,
          temp_c: String(month === 0 ? hour % 2 : 20 + (hour % 2)),
          wdir: hour < 18 ? 270 : 90,
          wspd_kt: hour === 0 ? 0 : 12,
          fltcat: low ? 'LIFR' : 'VFR',
          ...(day === 48 && hour === 15 && { wx: '+TSRA' }),
        };
        return report({ at: time.toISOString(), decoded });
      }),
    ),
  );
}

describe('the climate of a station on the page at /', () => {
  const archive = useArchive();
  const explorer = useExplorer(async () => {
    await insert(archive.client, ...reports().map((each) => put(each)));
    return startApi(archive.client);
  });
  const plot = (name: string) => explorer.page.locator(`#climate [data-plot=${name}]`);

  async function openClimate(): Promise<void> {
    await explorer.open('station=XAAA');
    // The plots above move it down.
    await explorer.plots().nth(3).waitFor();
    await explorer.page.locator('#climate-section').scrollIntoViewIfNeeded();
    await plot('days').waitFor();
  }

  it('is read once it is scrolled to, and shows four plots with their completeness, requests and answers as CSV', async () => {
    const { page, api } = explorer;
    await openClimate();
    const expected = {
      temperature: 'Temperature by month: mean in °C: Jan 0.5, Jul 20.5',
      wind: 'Wind rose: most often from W (70.8 %), calm 4.2 %, variable 0 %',
      category: 'Flight category by month and hour (UTC): IFR or LIFR most often in Jan at 6 UTC: 100 %',
      days: 'Days with thunder, fog and snow by month: days a year: thunder 1, fog 0, snow 0',
    };
    for (const [name, label] of Object.entries(expected))
      assert.equal(await plot(name).getByRole('img').getAttribute('aria-label'), label);
    assert.match(
      (await page.locator('#climate-summary').textContent()) ?? '',
      /^XAAA, 2022-01-10 to 2023-07-12: 1\.\d % of the hours have a report\.$/,
    );
    assert.equal(await plot('temperature').locator('rect').count(), 2);
    assert.equal(await plot('category').locator('rect').count(), 48);
    assert.deepEqual(explorer.problems, []);

    for (const name of ['temperature', 'wind', 'category', 'days']) {
      const url = (await plot(name).locator('details code').textContent()) ?? '';
      const target = url.slice(api.url.length);
      assert.equal((await api.get(target)).status, 200, url);
      const button = plot(name).getByRole('button', { name: /as CSV$/ });
      const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
      assert.equal(saved.suggestedFilename(), `XAAA-${name}.csv`);
      const csv = await (await api.get(target.replace('?', '.csv?'))).text();
      assert.equal(await readFile(await saved.path(), 'utf8'), csv);
      assert.ok(csv.split('\n').length > 3, csv);
    }
  });

  it('works with the keyboard, and is accessible', async () => {
    const { page } = explorer;
    await openClimate();
    await plot('temperature').getByRole('button').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const numbers = plot('temperature').getByRole('region', { name: 'Temperature by month: numbers' });
    await numbers.waitFor();
    assert.match((await numbers.textContent()) ?? '', /month.*p95_temp_c.*10.*0\.5/);
    await page.keyboard.press('Tab');
    assert.ok(await numbers.evaluate((region) => region.matches(':focus')));
    assert.deepEqual(await seriousFindings(page, { part: '#climate-section' }), []);
  });
});
