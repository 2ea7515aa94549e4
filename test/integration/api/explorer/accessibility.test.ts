import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { startApi, type TestApi } from '../../../support/api/api.ts';
import { seriousFindings, seriousFindingsOfSchemes, WIDTH_RULES } from '../../../support/api/axe.ts';
import { openContext, sharedBrowser } from '../../../support/api/browser.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';

const SCREENS = [
  { screen: 'a desktop', options: { viewport: { width: 1280, height: 900 } }, rules: undefined },
  {
    screen: 'a phone',
    options: { viewport: { width: 360, height: 740 }, hasTouch: true },
    rules: WIDTH_RULES,
  },
] as const;

describe('the page at / is accessible', () => {
  const archive = useArchive();
  let api: TestApi;
  before(async () => {
    await sharedBrowser();
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

  for (const { screen, options, rules } of SCREENS)
    it(`on ${screen} without a key, and light and dark with one, and needs no scrolling to the side`, async () => {
      const page = await (await openContext(options)).newPage();
      // A station sends few special reports: axe takes long for a list of all.
      await page.goto(`${api.url}/#type=speci`);
      assert.deepEqual(await seriousFindings(page, rules && { rules }), []);
      await page.getByLabel('API key').fill(await api.createKey());
      await page.getByRole('button', { name: 'Use key' }).click();
      await page.locator('#plots .u-over').nth(3).waitFor();
      const listed = await page.locator('#reports tr').count();
      assert.ok(listed > 0 && listed < 10, `${listed} reports`);
      assert.deepEqual(await seriousFindingsOfSchemes(page, rules), []);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), options.viewport.width);
      await page.context().close();
    });

  it('moves nothing for people who want no movement', async () => {
    const page = await (await openContext({ reducedMotion: 'reduce' })).newPage();
    await page.goto(`${api.url}/`);
    const duration = await page.evaluate(
      "getComputedStyle(document.querySelector('button')).transitionDuration",
    );
    assert.ok(Number.parseFloat(String(duration)) < 0.001);
    await page.context().close();
  });
});
