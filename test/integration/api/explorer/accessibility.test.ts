import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { after, before, describe, it } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { startApi, type TestApi } from '../../../support/api/api.ts';
import { sharedBrowser } from '../../../support/api/browser.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const SCREENS = {
  'a desktop': { viewport: { width: 1280, height: 900 } },
  'a phone': { viewport: { width: 360, height: 740 }, hasTouch: true },
} as const;

const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

describe('the page at / is accessible', () => {
  const archive = useArchive();
  let api: TestApi;
  let browser: Browser;
  before(async () => {
    browser = await sharedBrowser();
    await loadWith(
      archive.client,
      demo(),
      '--source demo --stations XAAA,XAAG --from 2024-01-01 --to 2024-01-10',
    );
    api = await startApi(archive.client);
  });
  after(async () => {
    // A machine without Chromium has none.
    await api?.stop();
  });

  /** In the light, by all rules; in the dark, by those that colours decide. */
  async function seriousFindings(page: Page): Promise<readonly string[]> {
    await page.evaluate(await readFile(AXE, 'utf8'));
    const findings: string[] = [];
    for (const [colorScheme, options] of Object.entries({ light: {}, dark: { runOnly: COLOUR_RULES } })) {
      await page.emulateMedia({ colorScheme: colorScheme as 'light' | 'dark' });
      const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
      for (const { impact, id, nodes } of violations)
        if (impact === 'serious' || impact === 'critical')
          findings.push(`${colorScheme}, ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    }
    return findings;
  }

  for (const [screen, options] of Object.entries(SCREENS))
    it(`on ${screen}, light and dark, without a key and with one, and needs no scrolling to the side`, async () => {
      const page = await browser.newPage(options);
      await page.goto(`${api.url}/`);
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByLabel('API key').fill(await api.createKey());
      await page.getByRole('button', { name: 'Use key' }).click();
      await page.locator('#plots .u-over').nth(3).waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), options.viewport.width);
      await page.close();
    });

  it('moves nothing for people who want no movement', async () => {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    await page.goto(`${api.url}/`);
    const duration = await page.evaluate(
      "getComputedStyle(document.querySelector('button')).transitionDuration",
    );
    assert.ok(Number.parseFloat(String(duration)) < 0.001);
    await page.close();
  });
});
