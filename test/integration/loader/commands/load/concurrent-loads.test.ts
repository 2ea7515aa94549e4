import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readAllReports, useArchive } from '../../../../support/archive/use-archive.ts';
import { startLoader } from '../../../../support/loader/loader-process.ts';
import { hourly } from '../../../../support/sources/iem-reports.ts';
import { replayIem } from '../../../../support/sources/replay-iem.ts';
import { metBlock, replayNcei } from '../../../../support/sources/replay-ncei.ts';
import { type OgimetFault, replayOgimet } from '../../../../support/sources/replay-ogimet.ts';

const ARGS = '--source iem,ogimet,ncei --stations KZZA --from 2024-03-01 --to 2024-03-08 --interval 0';

describe('load from several sources', () => {
  const archive = useArchive();

  async function load(ogimetFaults: readonly OgimetFault[] = []) {
    const reports = hourly('ZZA', '2024-03-01', 7);
    const typed = reports.map(({ valid, metar }) => {
      const type = valid.endsWith(':51') ? 'METAR' : 'SPECI';
      return { valid, type, text: `${type} ${metar}=` };
    });
    const replays = [
      await replayIem(reports),
      await replayOgimet(
        typed.map(({ valid, text }) => ({ icao: 'KZZA', slot: valid.replace(/[-: ]/g, ''), report: text })),
        ogimetFaults,
      ),
      await replayNcei(
        [{ usaf: '700001', wban: '00001', icao: 'KZZA', begin: '20200101', end: '20251231' }],
        typed.map(({ valid, type, text }) => ({
          id: '70000100001',
          date: `${valid.replace(' ', 'T')}:00`,
          type: type === 'METAR' ? 'FM-15' : 'FM-16',
          remarks: metBlock(text),
        })),
      ),
    ] as const;
    const [iem, ogimet, ncei] = replays;
    const urls = { IEM_URL: iem.url, OGIMET_URL: ogimet.url, NCEI_URL: ncei.url };
    try {
      const env = { CLICKHOUSE_URL: archive.url, CLICKHOUSE_DATABASE: archive.database, ...urls };
      return { ...(await startLoader(ARGS, env).ended), reports, replays };
    } finally {
      for (const replay of replays) await replay.close();
    }
  }

  it('stores every report once, with the text of the most faithful source, and prints a summary for each source', async () => {
    const { code, out, reports } = await load(['wrong date']);
    // Ogimet rejected a request, so one slice failed, though every day is done from the other sources.
    assert.equal(code, 3, out);
    for (const source of ['iem', 'ogimet', 'ncei'])
      assert.match(out, new RegExp(`${source}: \\d of 1 slices loaded`));
    assert.match(out, /1 slice failed; run the same command to retry/);
    const again = await load(['sorry under 501', 'header only']);
    assert.equal(again.code, 0, again.out);
    assert.equal(again.replays[0].requests.length, 0, 'done days are not requested');
    assert.ok(again.replays[1].requests.length >= 3, 'two faults and one response');
    const rows = await readAllReports(archive.client, 'KZZA');
    assert.deepEqual(
      rows.map(({ source, type, raw }) => `${source} ${type} ${raw}`).sort(),
      reports
        .map(({ valid, metar }) => `${valid.endsWith(':51') ? 'METAR' : 'SPECI'} ${metar}`)
        .map((text) => `ogimet ${text.slice(0, 5)} ${text}`)
        .sort(),
    );
  });
});
