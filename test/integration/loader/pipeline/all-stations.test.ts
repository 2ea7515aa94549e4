import assert from 'node:assert/strict';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import {
  insert,
  put,
  readAllReports,
  report,
  retract,
  useArchive,
} from '../../../support/archive/archive.ts';
import { readCoverageNow } from '../../../support/archive/records.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { hourly, type IemReport } from '../../../support/sources/iem-reports.ts';
import { type ReplayOptions, replayIem } from '../../../support/sources/replay-iem.ts';
import { withReplay } from '../../../support/sources/replay-server.ts';

const RANGE = '--from 2023-12-30 --to 2024-01-04';

describe('load of all stations', () => {
  const archive = useArchive('each');

  const load = (reports: readonly IemReport[], args: string, options: ReplayOptions = {}) =>
    withReplay(replayIem(reports, options), async (replay) => {
      const run = await loadWith(archive.client, iem(replay.url), `--source iem ${args}`);
      return { ...run, paths: replay.requests.map(({ path }) => path), metadata: replay.metadataRequests };
    });
  const storedLines = async () => {
    const rows = await readAllReports(archive.client);
    const lines = rows.map(({ station, observedAt, type, raw }) => `${observedAt} ${station} ${type} ${raw}`);
    return lines.sort();
  };

  /** Three stations. The first report of one of them is at a minute that the rest of the year shows to be special. */
  const REPORTS = [
    ...hourly('ABC', '2023-12-30', 5),
    ...hourly('ZZAA', '2023-12-31', 4),
    ...hourly('ZZAB', '2024-01-01', 1).slice(0, 1),
    ...hourly('ZZAB', '2024-01-02', 2),
  ];

  it('gives the same archive as station-years, which then change nothing', async () => {
    const days = await load(REPORTS, `--stations all ${RANGE}`);
    const byDays = await storedLines();
    assert.equal(days.tally.inserted, REPORTS.length);
    assert.equal(byDays.length, REPORTS.length);
    const years = await load(REPORTS, `--stations KABC,ZZAA,ZZAB --from 2023-01-01 --to 2025-01-01`);
    assert.equal(years.tally.inserted, 0);
    assert.deepEqual(await storedLines(), byDays);
  });

  it('sends two requests a day, for routine and special reports, and none for done days', async () => {
    const first = await load(REPORTS, '--stations all --from 2024-01-02 --to 2024-01-03');
    const requested = new Set(
      first.paths.map((path) => /sts=(.{10}).*&ets=(.{10}).*report_type=(\d)/.exec(path)?.slice(1).join()),
    );
    assert.deepEqual(requested, new Set(['2024-01-02,2024-01-03,3', '2024-01-02,2024-01-03,4']));
    const second = await load(REPORTS, '--stations all --from 2024-01-02 --to 2024-01-03');
    assert.deepEqual([second.paths.length, second.metadata, second.daysLeft], [0, 0, 0]);
  });

  it('makes days done for the stations that the source lists, with or without reports, and for no other code (D13)', async () => {
    const periods = { ZZAC: { archive_begin: '2010-01-01', archive_end: null } };
    await load(REPORTS, `--stations all ${RANGE}`, { periods });
    const range = {
      from: Date.parse('2023-12-30T00:00:00Z') / 1000,
      to: Date.parse('2024-01-04T00:00:00Z') / 1000,
    };
    const { stations } = await readCoverageNow(archive.client, {
      stations: ['ZZAA', 'ZZAC', 'ZZAD'],
      ...range,
    });
    assert.deepEqual(
      stations.map(({ status }) => status),
      ['complete', 'complete', 'none'],
    );
  });

  it('reclassifies a year that a killed loader left with provisional types', async () => {
    await load(REPORTS, `--stations all ${RANGE}`);
    const final = await storedLines();
    const [{ version, observedAt, ...held } = assert.fail('nothing archived')] = await readAllReports(
      archive.client,
      'ZZAB',
    );
    const archived = report({ ...held, at: new Date(observedAt * 1000).toISOString() });
    const type = archived.type === 'METAR' ? 'SPECI' : 'METAR';
    await insert(archive.client, retract(archived, version + 1), put({ ...archived, type }, version + 1));
    assert.notDeepEqual(await storedLines(), final);
    const again = await load(REPORTS, `--stations all ${RANGE}`);
    assert.equal(again.paths.length, 0);
    assert.deepEqual(await storedLines(), final);
  });

  it('repeats a request whose response is far below the day before', async () => {
    const reports = [...hourly('ABC', '2024-01-01', 2), ...hourly('ZZAA', '2024-01-01', 2)];
    // The first day takes three requests, because its few special reports are fetched twice; the fourth response has a
    // fifth of the second day's routine reports.
    const run = await load(reports, '--stations all --from 2024-01-01 --to 2024-01-03 --order oldest', {
      faults: ['none', 'none', 'none', 'thinned'],
    });
    assert.equal(run.tally.inserted, reports.length);
  });

  it('fetches the next day while ClickHouse still stores the one before', async () => {
    const reports = [...hourly('ABC', '2024-01-01', 2), ...hourly('ZZAA', '2024-01-01', 2)];
    const replay = await replayIem(reports);
    const days = () => new Set(replay.requests.map(({ path }) => /sts=(.{10})/.exec(path)?.[1]));
    let release = () => {};
    const secondRequested = new Promise<void>((resolve) => (release = resolve));
    const watch = setInterval(() => days().size === 2 && release(), 5);
    // A client whose insert completes only when the second day is requested.
    const slow: Archive = {
      ...archive.client,
      async insert(rows, signal) {
        await archive.client.insert(rows, signal);
        if (rows.table === 'observations') await secondRequested;
      },
    };
    try {
      const { tally } = await loadWith(
        slow,
        iem(replay.url),
        '--source iem --stations all --from 2024-01-01 --to 2024-01-03',
      );
      assert.equal(tally.inserted, reports.length);
      assert.equal((await storedLines()).length, reports.length);
    } finally {
      clearInterval(watch);
      await replay.close();
    }
  });
});
