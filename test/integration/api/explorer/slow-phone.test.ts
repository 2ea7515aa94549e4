import assert from 'node:assert/strict';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { startApi } from '../../../support/api/api.ts';
import { untilServed, useExplorer } from '../../../support/api/explorer.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';

/** A slow phone: 400 kbit/s, and 400 ms until the first byte of an answer. */
const BYTES_PER_SECOND = 50_000;
const LATENCY_SECONDS = 0.4;

type Timing = Readonly<Record<'startTime' | 'responseStart' | 'transferSize', number>>;

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

  /**
   * What had been received when an element was shown, and how many answers had begun when each of the requests was sent.
   * By the clock of the page: the test may look much later.
   */
  async function openUntil(path: string, selector: string) {
    const { page, context } = explorer;
    const network = await context.newCDPSession(page);
    await network.send('Network.clearBrowserCache');
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_SECONDS * 1000,
      downloadThroughput: BYTES_PER_SECOND,
      uploadThroughput: BYTES_PER_SECOND,
    });
    const script = await page.addInitScript(
      `new MutationObserver(() => document.querySelector('${selector}') && (globalThis.shown ??= performance.now())).observe(document, { childList: true, subtree: true })`,
    );
    await page.goto(`${explorer.api.url}${path}#key=${await explorer.api.createKey()}`);
    await page.locator(selector).first().waitFor();
    const used = await page.evaluate<readonly Timing[]>(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ entryType, responseEnd }) => entryType === 'navigation' || responseEnd <= shown)
        .map((each) => each.toJSON())`,
    );
    await script.dispose();
    await network.detach();
    return {
      requests: used.length,
      bytes: used.reduce((sum, { transferSize }) => sum + transferSize, 0),
      rounds: used.map(
        ({ startTime }) => used.filter(({ responseStart }) => responseStart <= startTime).length,
      ),
    };
  }

  it('shows its frame from the first answer, and the newest report after two requests more, within two seconds', async () => {
    const frame = await openUntil('/?station=XAAA', 'h1');
    assert.ok(frame.requests <= 1 && frame.bytes < 12_000, JSON.stringify(frame));
    await explorer.page.goto('about:blank');
    const { requests, bytes, rounds } = await openUntil('/?station=XAAA', '.raw');
    // The page, then the script and the report at the same time.
    assert.equal(requests, 3);
    assert.deepEqual(rounds, [0, 1, 1]);
    const seconds = 2 * LATENCY_SECONDS + bytes / BYTES_PER_SECOND;
    assert.ok(seconds < 1.8, `${seconds} s for ${bytes} bytes`);
    assert.deepEqual(explorer.problems, []);
  });

  it('shows a report that is newer than what the service knew when it made the page', async () => {
    const { page } = explorer;
    await explorer.open('/?station=XAAA');
    await page.locator('.raw').waitFor();
    await load('2024-02-01', '2024-02-02');
    await explorer.open('/?station=XAAA');
    await page.locator('.raw', { hasText: / 01\d{4}Z / }).waitFor();
    const sent = explorer.requests
      .filter((each) => each.url().includes('order=desc'))
      .map((each) => each.url());
    assert.ok(sent.length >= 2 && sent.every((url) => url.includes('limit=1')), sent.join('\n'));
  });
});
