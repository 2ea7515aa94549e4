import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { startApi } from '../../../support/api/api.ts';
import { useExplorer } from '../../../support/api/explorer.ts';
import { insert, put, report } from '../../../support/archive/archive.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { isLong } from '../../../support/long.ts';

/** More stations than the page asks for at once, over more years than the service counts for one request. */
const STATIONS = 1010;
const FIRST_YEAR = 2015;

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = letters
  .flatMap((third) =>
    letters.flatMap((second) => letters.slice(0, 2).map((last) => `X${second}${third}${last}`)),
  )
  .sort()
  .slice(0, STATIONS);
const today = new Date().toISOString().slice(0, 10);
const thisYear = Number(today.slice(0, 4));

/** A report a year of each of the first stations, and one of today; the very first station closed in 2016. */
async function fillLargeArchive(client: Archive): Promise<void> {
  const years = Array.from({ length: thisYear - FIRST_YEAR }, (_, at) => FIRST_YEAR + at);
  const timesOf = (at: number) => {
    if (at === 0) return ['2016-01-01T00:00:00Z'];
    return [...(at < 30 ? years.map((year) => `${year}-01-01T00:00:00Z`) : []), `${today}T00:00:00Z`];
  };
  const reports = codes.flatMap((station, at) => timesOf(at).map((time) => report({ station, at: time })));
  await insert(client, ...reports.map((each) => put(each)));
}

const ARCHIVES = {
  fresh: {
    fill: (client: Archive) =>
      loadWith(client, demo(), '--source demo --stations XAAA,XAAE --from 2024-01-01 --to 2024-02-01'),
    station: 'XAAA',
    lastDay: '2024-01-31',
    stations: '2 stations. Pick a station or a year.',
  },
  large: {
    fill: fillLargeArchive,
    station: codes[1] ?? '',
    lastDay: today,
    stations: 'The first 1,000 stations by code: search to see others.',
  },
} as const;

for (const [name, { fill, station, lastDay, stations }] of Object.entries(ARCHIVES))
  describe(`the first use of the page in a ${name} archive`, () => {
    const archive = useArchive();
    const explorer = useExplorer(async () => {
      await fill(archive.client);
      return startApi(archive.client);
    });
    const year = lastDay.slice(0, 4);

    it('shows the last week that the archive has, of a station that still reports', async () => {
      await explorer.open();
      const { page } = explorer;
      await explorer.heading(`Days of ${year} at ${station}`).waitFor();
      await page.locator('#stations-summary', { hasText: stations }).waitFor();
      await explorer.plots().first().waitFor();
      const end = new Date(Date.parse(lastDay) + 86_400_000).toISOString().slice(0, 10);
      assert.equal(await page.locator('#to').inputValue(), end);
      assert.match((await page.locator('#reports-summary').textContent()) ?? '', /: [1-9]\d* reports?\. /);
    });

    const { button } = explorer;
    const click = (label: string) => button(label).click();
    const firstUses: Readonly<Record<string, () => Promise<unknown>>> = {
      'Whole year': () => click('Whole year'),
      Show: () => click('Show'),
      type: async () => {
        await explorer.page.getByLabel('Type').selectOption('speci');
        await click('Show');
      },
      day: () => explorer.page.locator(`[data-day="${lastDay}"]`).click(),
      'Previous year': () => click('Previous year'),
      year: () => explorer.page.locator(`td[data-station="${station}"][data-year="2024"]`).click(),
      search: () => click('Search'),
      'another station': () => explorer.page.locator('#stations tbody tr:not(.selected) th').first().click(),
      CSV: () => Promise.all([explorer.page.waitForEvent('download'), click('CSV')]),
      Python: () => explorer.page.getByRole('tab', { name: 'Python' }).click(),
    };

    // Each use loads the page, which takes a second and a half of CPU time.
    const usual: readonly string[] = name === 'fresh' ? ['Whole year', 'day', 'another station'] : ['search'];
    const uses = Object.entries(firstUses).filter(([use]) => isLong || usual.includes(use));

    it('works with any control', async () => {
      const key = await explorer.api.createKey();
      for (const [label, use] of uses) {
        await explorer.open('', key);
        const { page } = explorer;
        await explorer.plots().first().waitFor();
        const summary = page.locator('#reports-summary', { hasText: /^X[A-Z]{3}[ ,]/ });
        await summary.waitFor();
        const idle = page.locator('#status', { hasText: /^$/ });
        await idle.waitFor({ state: 'attached' });
        await use();
        await idle.waitFor({ state: 'attached' });
        await summary.waitFor();
        assert.ok(await page.getByRole('alert').isHidden(), label);
        const title = (await page.locator('#days-title').textContent()) ?? '';
        assert.equal(title.endsWith(` at ${station}`), label !== 'another station', `${label}: ${title}`);
      }
      assert.deepEqual(explorer.problems, []);
    });
  });
