import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Route } from 'playwright-core';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { startApi } from '../../../support/api/api.ts';
import { untilServed, useExplorer } from '../../../support/api/explorer.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';

/** A slow phone: 400 kbit/s, and 400 ms until the first byte of an answer. */
const BYTES_PER_SECOND = 50_000;
const LATENCY_SECONDS = 0.4;

describe('the page on a slow phone', () => {
  const archive = useArchive();
  const load = (from: string, to: string) =>
    loadWith(archive.client, demo(), `--source demo --stations XAAA --from ${from} --to ${to}`);
  const explorer = useExplorer(async () => {
    await load('2024-01-01', '2024-02-01');
    const api = await startApi(archive.client);
    await untilServed(api, '/?station=XAAA', 'Westwind');
    return api;
  });

  it('shows its frame from the first answer, and the newest report and the week from those sent at once, within two seconds', async () => {
    const { page, api } = explorer;
    const key = await api.createKey();
    const second: Route[] = [];
    await page.route(`${api.url}/**`, (route) => {
      const request = route.request();
      if (request.isNavigationRequest()) return route.continue();
      // Others get no answer: what is shown first must not need them.
      if (/(main|week|chunk-\w+)\.js$|observations\?/.test(request.url())) second.push(route);
      return undefined;
    });
    await page.goto(`${api.url}/?station=XAAA#key=${key}`, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'XAAA Westwind Island' }).waitFor();
    // All are sent before one has an answer: a browser has six connections for them.
    while (second.length < 6) await sleep(20);
    for (const route of second) await route.continue();
    await page.locator('.raw').first().waitFor();
    await page.locator('#period .lanes path.line').first().waitFor();
    const sizes = await page.evaluate<readonly number[]>(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ responseEnd }) => responseEnd > 0).map(({ transferSize }) => transferSize)`,
    );
    assert.equal(sizes.length, 7);
    assert.ok((sizes[0] ?? 0) < 12_000, `${sizes[0]} bytes of the page`);
    const bytes = sizes.reduce((sum, size) => sum + size);
    // The page, then the scripts and the reports of the week at the same time.
    const seconds = 2 * LATENCY_SECONDS + bytes / BYTES_PER_SECOND;
    assert.ok(sizes.every((size) => size > 0) && seconds < 2, `${seconds} s for ${sizes} bytes`);
    assert.deepEqual(explorer.problems, []);
    // Days of all years wait until their section is near.
    const urls = explorer.requests.map((request) => request.url());
    assert.deepEqual(
      urls.filter((url) => url.includes('/daily')),
      [],
    );
    assert.equal(new Set(urls).size, urls.length, 'each is asked once');
  });

  it('shows a report that is newer than what the service knew when it made the page', async () => {
    const { page, api } = explorer;
    await explorer.open('/?station=XAAA');
    await page.locator('.raw').waitFor();
    await load('2024-02-01', '2024-02-02');
    await untilServed(
      api,
      '/v1/history/stations?stations=XAAA',
      '2024-02-01T23:53:00Z',
      await api.createKey(),
    );
    await explorer.open('/?station=XAAA');
    await page.locator('.raw', { hasText: / 01\d{4}Z / }).waitFor();
  });
});
