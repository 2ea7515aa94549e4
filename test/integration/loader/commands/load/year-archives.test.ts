import assert from 'node:assert/strict';
import { selectRows } from '../../../../../clickhouse/statements/select.ts';
import { findGaps } from '../../../../../loader/checks/gaps.ts';
import { readStatus } from '../../../../../loader/commands/status.ts';
import { ncei } from '../../../../../loader/sources/ncei/ncei.ts';
import type { RemoteSource, YearArchives } from '../../../../../loader/sources/source.ts';
import { readAllReports, useArchive } from '../../../../support/archive/archive.ts';
import { day } from '../../../../support/archive/ledger.ts';
import { loadWith, runLoader } from '../../../../support/loader/run-load.ts';
import { hourly } from '../../../../support/sources/iem-reports.ts';
import type { Fault } from '../../../../support/sources/replay-faults.ts';
import { replayIem } from '../../../../support/sources/replay-iem.ts';
import { type IsdRow, metBlock, replayNcei } from '../../../../support/sources/replay-ncei.ts';
import { replayOgimet } from '../../../../support/sources/replay-ogimet.ts';
import { withReplay } from '../../../../support/sources/replay-server.ts';

const RANGE = '--from 2014-01-01 --to 2016-01-01';
const [OLD_ID, NEW_ID] = ['70000100001', '70000200002'];
/** The id of the station changes in July 2014; in 2015 both have the same reports. */
const KZYA = [
  { usaf: '700001', wban: '00001', icao: 'KZYA', begin: '19730101', end: '20150630' },
  { usaf: '700002', wban: '00002', icao: 'KZYA', begin: '20140701', end: '20250827' },
];
const OTHERS = ['KZYB', 'KZYC', 'KZYB'].map((icao, at) => ({
  usaf: '70000300003'.slice(0, 6),
  wban: `0000${at + 3}`,
  icao,
  begin: '20000101',
  end: '20250827',
}));
const row = (id: string, date: string, text: string): IsdRow => ({
  id,
  date,
  type: 'FM-15',
  remarks: metBlock(text),
});
/** A station with two files a year, one with a file of reports and one without, and a file of no station. */
const ROWS = [
  ...['2014-06-28', '2015-06-28']
    .flatMap((day) => hourly('KZYA', day, 6))
    .flatMap(({ valid, metar }) => {
      const ids = valid > '2015' ? [OLD_ID, NEW_ID] : [valid < '2014-07' ? OLD_ID : NEW_ID];
      return ids.map((id) => row(id, `${valid.replace(' ', 'T')}:00`, `METAR ${metar}=`));
    }),
  // It is cut short.
  { ...row(NEW_ID, '2014-07-02T12:20:00', ''), remarks: metBlock('METAR KZYA 021220Z 18', 60) },
  row('70000300003', '2014-03-01T00:51:00', 'METAR KZYB 010051Z 18004KT='),
  { ...row('70000300005', '2014-03-01T00:51:00', ''), type: 'FM-12', remarks: '' },
  row('70000900009', '2014-03-01T00:51:00', 'METAR KZYZ 010051Z 18004KT='),
  // A file whose last row cannot be read makes no day done (D68).
  row('70000300004', '2015-03-01T00:51:00', 'METAR KZYC 010051Z 18004KT='),
  row('70000300004', '2015-03-01T01:99:00', 'METAR KZYC 010151Z 18004KT='),
];

describe('archives of whole years', () => {
  const [byStation, byYear] = [useArchive(), useArchive()];

  async function load(
    archive: typeof byYear,
    stations: string,
    minStations: number,
    faults: readonly (Fault | 'none')[] = [],
  ) {
    return withReplay(replayNcei([...KZYA, ...OTHERS], ROWS, faults), async ({ url, requests }) => {
      const adapter: RemoteSource = ncei(url);
      const yearArchives: YearArchives = { ...(adapter.yearArchives as YearArchives), minStations };
      const line = `--source ncei --stations ${stations} ${RANGE}`;
      const run = await loadWith(archive.client, { ...adapter, yearArchives }, line);
      return { ...run, requests: requests.filter((path) => path.startsWith('/data/')) };
    });
  }
  const now = new Date();
  const content = async ({ client }: typeof byYear) => {
    const stored = await readAllReports(client);
    const scope = {
      stations: ['KZYA', 'KZYB', 'KZYC'],
      firstDay: day('2014-01-01'),
      endDay: day('2016-01-01'),
    };
    return {
      reports: stored.map(({ observedAt, type, raw }) => `${observedAt} ${type} ${raw}`).sort(),
      status: (await readStatus(client, scope.stations, now)).stations,
      gaps: await findGaps(client, scope, now),
      counts: await selectRows(client, {
        query:
          "SELECT station, toYear(firstDay) AS year, arraySum(reportsByDay) AS reports FROM slices WHERE station = 'KZYB' ORDER BY ALL",
      }),
    };
  };

  it('give the same archive and coverage as the files of stations, with one request a year', async () => {
    const single = await load(byStation, 'KZYA,KZYB,KZYC', 1000);
    const whole = await load(byYear, 'all', 3, ['none', 'cut connection', 'over capacity']);
    const archives = whole.requests.filter((path) => path.includes('/archive/'));
    assert.deepEqual(
      archives.map((path) => path.replace('/data/global-hourly/archive/csv/', '')),
      // The second response breaks, and the third is a refusal.
      ['2014.tar.gz', '2015.tar.gz', '2015.tar.gz', '2015.tar.gz'],
    );
    assert.equal(whole.tally.inserted, single.tally.inserted);
    assert.ok(whole.daysLeft > 0, 'one report is cut short');
    assert.equal(whole.daysLeft, single.daysLeft);
    assert.ok(whole.stationsLeft.includes('KZYC'), whole.stationsLeft.join());
    assert.match(whole.messages.join('\n'), /KZYC 2015.* 1 of 2 rows cannot be read, the first is line 3, /);
    assert.deepEqual(await content(byYear), await content(byStation));
  });

  it('are not requested where few stations lack days: these have files of their own', async () => {
    const again = await load(byYear, 'all', 3);
    assert.ok(again.requests.length > 0);
    assert.ok(
      again.requests.every((path) => path.startsWith('/data/global-hourly/access/')),
      again.requests.join(),
    );
    assert.equal(again.tally.inserted, 0);
  });
});

const ARGS = '--source iem,ogimet,ncei --stations KZZA --from 2024-03-01 --to 2024-03-08 --interval 0';

describe('load from several sources', () => {
  const archive = useArchive();

  async function load(ogimetFaults: readonly Fault[] = []) {
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
      return { ...(await runLoader(archive, ARGS, urls)), reports, replays };
    } finally {
      for (const replay of replays) await replay.close();
    }
  }

  it('stores every report once, with the text of the most faithful source, and prints a summary for each source', async () => {
    const { code, out, reports } = await load(['unprocessable']);
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
