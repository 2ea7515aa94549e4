import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { OBSERVATIONS, startApi } from '../../../support/api/api.ts';
import { countColouredPixels } from '../../../support/api/browser.ts';
import { useExplorer } from '../../../support/api/explorer.ts';
import { insert, put, report } from '../../../support/archive/archive.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';
import { pythonWithPandas } from '../../../support/documents/python.ts';
import { loadWith } from '../../../support/loader/run-load.ts';

const run = promisify(execFile);
const PYTHON_CLIENT = fileURLToPath(new URL('../../../../api/client/python/', import.meta.url));

const LOAD = '--source demo --stations XAAG --from 2023-08-01 --to 2024-12-01';

/** XAAG sends no report from 5 January 21:56 to 6 January 19:56. */
const PERIOD_WITH_GAP = '#station=XAAG&from=2024-01-02&to=2024-01-12';

describe('a period on the page at /', () => {
  const archive = useArchive();
  const explorer = useExplorer(async () => {
    await loadWith(archive.client, demo(), LOAD);
    const markup =
      'XAAB 011200Z 18004KT CAVOK 12/07 Q1013 RMK <img src=/x onerror="document.title=1"> <b>BOLD</b>';
    await insert(archive.client, put(report({ station: 'XAAB', at: '2024-01-01T12:00:00Z', raw: markup })));
    return startApi(archive.client, { demo: true });
  });

  it('plots the reports, and draws no line across hours without reports', async () => {
    await explorer.open(PERIOD_WITH_GAP);
    await explorer.plots().nth(3).waitFor();
    const target = `${OBSERVATIONS}?stations=XAAG&from=2024-01-02T00:00:00Z&to=2024-01-12T00:00:00Z`;
    const { data } = (await (await explorer.api.get(target)).json()) as { data: { observedAt: string }[] };
    const times = data.map(({ observedAt }) => Date.parse(observedAt));
    const [first, last] = ['2024-01-02', '2024-01-12'].map((day) => Date.parse(day)) as [number, number];
    const end = times.findIndex((time, at) => time - (times[at - 1] ?? time) > 20 * 3_600_000);
    const place = (time: number | undefined) => ((time ?? first) - first) / (last - first);
    const gap = { left: place(times[end - 1]) + 0.01, right: place(times[end]) - 0.01 };
    assert.ok(gap.right - gap.left > 0.05, JSON.stringify(gap));
    for (let at = 0; at < 4; at += 1) {
      const png = await explorer.plots().nth(at).screenshot();
      assert.ok((await countColouredPixels(explorer.page, png)) > 300, `plot ${at}`);
      assert.equal(await countColouredPixels(explorer.page, png, gap), 0, `plot ${at}`);
    }
    assert.match(
      (await explorer.page.locator('#plots [role=img]').first().getAttribute('aria-label')) ?? '',
      /^Temperature and dew point: temperature from -?\d+ to \d+ °C, .*, 1 gap$/,
    );
  });

  it('draws a year whole, by day, with the gap at its end as a gap', async () => {
    const { page, api } = explorer;
    await explorer.open('#station=XAAG&from=2024-01-01&to=2025-01-01');
    await explorer.plots().nth(3).waitFor();
    const target = `${OBSERVATIONS}.csv?stations=XAAG&from=2024-01-01T00:00:00Z&to=2025-01-01T00:00:00Z`;
    const lines = (await (await api.get(target)).text()).trimEnd().split('\n').length - 1;
    assert.ok(lines > 8000);
    const summary = `XAAG, 2024-01-01 to 2025-01-01: ${lines.toLocaleString('en')} reports. Coverage: in part`;
    await page.locator('#reports-summary', { hasText: summary }).waitFor();
    const sent = explorer.requests.map((request) => new URL(request.url()).pathname);
    assert.equal(sent.filter((path) => path === OBSERVATIONS).length, 1, 'one page is listed');
    assert.equal(sent.filter((path) => path === '/v1/history/statistics').length, 1);
    for (let at = 0; at < 4; at += 1) {
      const png = await explorer.plots().nth(at).screenshot();
      for (const left of [0, 0.2, 0.4, 0.6, 0.8])
        assert.ok((await countColouredPixels(page, png, { left, right: left + 0.05 })) > 10, `${at} ${left}`);
      assert.equal(await countColouredPixels(page, png, { left: 0.93, right: 1 }), 0, `${at}`);
    }
    assert.match(
      (await page.locator('#plots [role=img]').first().getAttribute('aria-label')) ?? '',
      /^Temperature and dew point by day: lowest temperature from .* °C, highest temperature .*, \d gaps$/,
    );
    assert.deepEqual(explorer.problems, []);
  });

  it('says in a sentence that a period has no report', async () => {
    const { page } = explorer;
    const CASES = {
      'station=XAAG&from=2024-12-05&to=2024-12-09':
        'XAAG has no report of this period in the archive yet: 2024-12-05 to 2024-12-09.',
      'station=XAAG&from=2024-01-06&to=2024-01-07&type=speci':
        'XAAG sent no report in this period: 2024-01-06 to 2024-01-07 (SPECI alone).',
    };
    for (const [state, sentence] of Object.entries(CASES)) {
      await explorer.open(state);
      await page.getByText(sentence).waitFor();
      assert.equal(await page.locator('#plots figure').count(), 0);
      assert.ok(await page.locator('#reports-section').isHidden());
    }
  });

  it('offers to try again what failed for the moment', async () => {
    const { page } = explorer;
    const status = (code: number) => ({
      status: code,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: '/docs/errors/overloaded',
        title: 'Overloaded',
        status: code,
        detail: 'Later.',
        code: 'overloaded',
      }),
    });
    let failures = 2;
    await page.route(`**${OBSERVATIONS}*`, (route) =>
      failures-- > 0 ? route.fulfill(status(503)) : route.continue(),
    );
    await explorer.open(PERIOD_WITH_GAP);
    await page.getByRole('alert').getByText('Overloaded').waitFor();
    await explorer.button('Try again').click();
    await page.getByRole('alert').getByText('Overloaded').waitFor();
    await explorer.button('Try again').click();
    await explorer.plots().nth(3).waitFor();
    assert.ok(await page.getByRole('alert').isHidden());

    await page.route(`**${OBSERVATIONS}.csv*`, (route) => route.abort(), { times: 1 });
    await explorer.button('CSV').click();
    await page.getByRole('alert').getByText('No response').waitFor();
    await page.locator('#download-status', { hasText: 'The download failed' }).waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), explorer.button('Try again').click()]);
    assert.equal(saved.suggestedFilename(), 'XAAG-2024-01-02-2024-01-12.csv');
    await page.locator('#download-status', { hasText: /^Downloaded CSV of XAAG, / }).waitFor();
  });

  it('shows each report as it was sent, with its decoded fields, their meanings and units', async () => {
    await explorer.open(PERIOD_WITH_GAP);
    const row = explorer.page.locator('#reports tr').first();
    await row.waitFor();
    const target = `${OBSERVATIONS}?stations=XAAG&from=2024-01-02T00:00:00Z&to=2024-01-12T00:00:00Z&include=raw,decoded`;
    const { data } = (await (await explorer.api.get(target)).json()) as {
      data: { raw: string; decoded: { temp_c: string } }[];
    };
    assert.equal(await row.locator('code').textContent(), data[0]?.raw);
    assert.equal(await row.locator('dt:text-is("temp_c") + dd').textContent(), data[0]?.decoded.temp_c);
    const names = explorer.page.locator('#reports dt');
    await explorer.page.locator('#reports dt[title$="(kt)"]').first().waitFor();
    const [all, explained] = [
      await names.count(),
      await explorer.page.locator('#reports dt[title]:not([title=""])').count(),
    ];
    assert.ok(all > 100 && explained === all, `${explained} of ${all}`);
    assert.equal(
      await names.filter({ hasText: 'wspd_kt' }).first().getAttribute('title'),
      'mean wind speed (kt)',
    );
    await explorer.page.getByRole('button', { name: `Show more reports (${data.length - 20} left)` }).click();
    assert.equal(await explorer.page.locator('#reports tr').count(), 40);
  });

  it('shows markup in a report as text', async () => {
    await explorer.open('#station=XAAB&from=2024-01-01&to=2024-01-02');
    const code = explorer.page.locator('#reports code');
    await code.waitFor();
    assert.match((await code.textContent()) ?? '', /<img src=\/x onerror=.*> <b>BOLD<\/b>$/);
    assert.equal(await explorer.page.locator('#reports img, #reports b').count(), 0);
    assert.equal(await explorer.page.title(), 'Historical observations');
  });

  it('offers the whole period as curl, as Python and where one request can have it as a link, which run as printed with keys of any plan', async () => {
    const { page, api } = explorer;
    const folder = await mkdtemp(join(tmpdir(), 'snippets-'));
    const query =
      'stations=XAAG&from=2023-08-01T00:00:00Z&to=2025-01-01T00:00:00Z&type=all&include=raw,decoded';
    const csv = await (await api.get(`${OBSERVATIONS}.csv?${query}`)).text();
    const records = csv.trimEnd().split('\n').length - 1;
    assert.ok(records > 10_000, `${records} records need more than one part`);
    const panel = page.getByRole('tabpanel');
    const fetchText = async (url: string, key: string) =>
      (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).text();
    const snippet = async (tab: string) => {
      await page.getByRole('tab', { name: tab }).click();
      return (await panel.textContent()) ?? '';
    };
    const printed = new Set<string>();
    for (const plan of ['starter', 'sandbox'] as const) {
      const key = await api.createKey(plan);
      await explorer.open('#station=XAAG&from=2023-08-01&to=2025-01-01', key);
      await page.locator('#reports-summary', { hasText: 'reports. Coverage' }).waitFor();
      const note = page.getByText('There is no link, as this period has more than 10,000 reports.');
      if (plan === 'sandbox') {
        await note.waitFor();
        assert.ok(await page.getByRole('tab', { name: 'Link' }).isHidden());
      } else {
        assert.equal(await note.count(), 0);
        assert.ok((await fetchText(await snippet('Link'), key)) === csv);
      }
      const env = { ...process.env, KEY: key, PYTHONPATH: PYTHON_CLIENT, PYTHONDONTWRITEBYTECODE: '1' };
      const options = { cwd: folder, env, timeout: 120_000 };
      await run('bash', ['-c', await snippet('curl')], options);
      assert.deepEqual(await readdir(folder), ['XAAG-2023-08-01-2025-01-01.csv'], plan);
      const saved = await readFile(join(folder, 'XAAG-2023-08-01-2025-01-01.csv'), 'utf8');
      assert.ok(saved === csv, `${plan}: ${saved.length} characters instead of ${csv.length}`);
      printed.add(await snippet('Python'));
      // The program is the same with any key. The lower plan needs the most requests for it.
      if (plan === 'starter') continue;
      const [python = '', ...others] = printed;
      assert.deepEqual(others, []);
      const { stdout } = await run(pythonWithPandas(), ['-c', python], options);
      assert.equal(stdout, `partial ${records}\n`);
      const [, module = ''] = /curl -O ([^;\s]+)/.exec(python) ?? [];
      assert.equal((await fetch(module)).status, 200);
    }
    await rm(folder, { recursive: true });

    await page.getByLabel('From (UTC)').fill('2024-01-01');
    await explorer.button('Show').click();
    await page.getByRole('tab', { name: 'Link' }).click();
    const year = `stations=XAAG&from=2024-01-01T00:00:00Z&to=2025-01-01T00:00:00Z&include=raw,decoded`;
    const whole = await (await api.get(`${OBSERVATIONS}.csv?${year}`)).text();
    const link = (await panel.textContent()) ?? '';
    assert.ok((await fetchText(link, await api.createKey('sandbox'))) === whole, link);
  });

  it('downloads what the interface answers, in each format', async () => {
    const { page, api } = explorer;
    await explorer.open(PERIOD_WITH_GAP);
    await page.locator('#reports tr').first().waitFor();
    for (const form of ['CSV', 'JSON', 'NDJSON', 'Parquet', 'Arrow']) {
      const [saved] = await Promise.all([page.waitForEvent('download'), explorer.button(form).click()]);
      const extension = form.toLowerCase();
      assert.equal(saved.suggestedFilename(), `XAAG-2024-01-02-2024-01-12.${extension}`);
      await page.locator('#download-status', { hasText: `Downloaded ${form} of XAAG` }).waitFor();
      const target = `${OBSERVATIONS}.${extension}?stations=XAAG&from=2024-01-02T00:00:00Z&to=2024-01-12T00:00:00Z&type=all&include=raw,decoded&limit=10000`;
      const response = await api.get(target);
      assert.equal(response.status, 200);
      const file = await readFile(await saved.path());
      const expected = Buffer.from(await response.arrayBuffer());
      if (form === 'JSON') {
        const dataOf = (bytes: Buffer) => JSON.parse(bytes.toString()).data;
        assert.deepEqual(dataOf(file), dataOf(expected));
      } else assert.ok(file.equals(expected), `${form}: ${file.length} bytes instead of ${expected.length}`);
    }
  });
});
