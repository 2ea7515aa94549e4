import assert from 'node:assert/strict';
import { rebuildCoverage } from '../../../../clickhouse/recovery/recover-archive.ts';
import { readKnownStations } from '../../../../clickhouse/stations.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { readAllReports, useArchive } from '../../../support/archive/archive.ts';
import { readCoverageNow } from '../../../support/archive/records.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { hourly, type IemReport } from '../../../support/sources/iem-reports.ts';
import { FAULTS, IEM_FAULTS } from '../../../support/sources/replay-faults.ts';
import { type ReplayOptions, replayIem } from '../../../support/sources/replay-iem.ts';
import { withReplay } from '../../../support/sources/replay-server.ts';

const seconds = (text: string) => Date.parse(text) / 1000;
let nextStation = 0;
/** All tests share one archive, so each has a station of its own. */
const newStation = () => `ZZ${String(nextStation++).padStart(2, '0')}`;

describe('load from IEM', () => {
  const archive = useArchive();

  const load = (reports: readonly IemReport[], line: string, options: ReplayOptions = {}) =>
    withReplay(replayIem(reports, options), async (replay) => {
      const run = await loadWith(archive.client, iem(replay.url), `--source iem ${line}`);
      const paths = replay.requests.map(({ path }) => path);
      return { ...run, requests: paths.length, paths, metadata: replay.metadataRequests };
    });

  const archived = async (station: string) => {
    const rows = await readAllReports(archive.client, station);
    return rows.toSorted((a, b) => a.observedAt - b.observedAt);
  };
  const coverage = async (station: string, from: string, to: string) =>
    (await readCoverageNow(archive.client, { stations: [station], from: seconds(from), to: seconds(to) }))
      .status;

  it('stores exactly the reports of the source, with time and type', async () => {
    const station = newStation();
    const reports = hourly(station, '2024-03-01', 31);
    const { tally, daysLeft } = await load(
      reports,
      `--stations ${station} --from 2024-03-01 --to 2024-04-01`,
    );
    assert.deepEqual(
      (await archived(station)).map(({ raw, observedAt, type }) => ({ raw, observedAt, type })),
      reports.map(({ metar, valid }) => ({
        raw: metar,
        observedAt: seconds(`${valid.replace(' ', 'T')}:00Z`),
        type: valid.endsWith(':51') ? 'METAR' : 'SPECI',
      })),
    );
    assert.deepEqual([tally.reports, tally.inserted, daysLeft], [reports.length, reports.length, 0]);
  });

  it('requests the missing days and no others', async () => {
    const station = newStation();
    const reports = hourly(station, '2024-03-01', 10);
    await load(reports, `--stations ${station} --from 2024-03-04 --to 2024-03-06`);
    const { paths } = await load(reports, `--stations ${station} --from 2024-03-01 --to 2024-03-10`);
    assert.deepEqual(
      paths.map((path) => /sts=(.{10}).*&ets=(.{10})/.exec(path)?.slice(1)),
      [
        ['2024-03-01', '2024-03-04'],
        ['2024-03-06', '2024-03-10'],
      ],
    );
  });

  it('stores a NIL report, knows its station, and does not count it for coverage (D8)', async () => {
    const station = newStation();
    const { tally } = await load(
      [{ id: station, valid: '2024-03-01 12:00', metar: `${station} 011200Z NIL` }],
      `--stations ${station} --from 2024-03-01 --to 2024-03-02`,
    );
    assert.equal(tally.inserted, 1);
    assert.equal((await archived(station)).length, 1);
    const assertKnown = async () => {
      assert.equal(await coverage(station, '2024-03-01T00:00:00Z', '2024-03-02T00:00:00Z'), 'none');
      const known = await readKnownStations(archive.client, { stations: [station] }, undefined, 1);
      assert.deepEqual(known, [{ station }]);
    };
    await assertKnown();
    await rebuildCoverage(archive.client, 2024);
    await assertKnown();
  });

  it('skips a text of another station, also one letter off if the archive knows that one (D67)', async () => {
    const [known, station] = [newStation(), newStation()];
    const range = '--from 2024-03-01 --to 2024-03-02';
    await load(hourly(known, '2024-03-01', 1), `--stations ${known} ${range}`);
    const reports = [known, `${known.slice(0, 3)}X`, 'KBTR'].map((stated, at) => ({
      id: station,
      valid: `2024-03-01 0${at}:00`,
      metar: `${stated} 010${at}00Z 18004KT CAVOK`,
    }));
    const { tally, daysLeft } = await load(reports, `--stations ${station} ${range}`);
    assert.deepEqual([tally.skipped, daysLeft], [{ 'wrong station': 2 }, 0]);
    assert.deepEqual(
      (await archived(station)).map(({ raw }) => raw),
      [reports[1]?.metar],
    );
  });

  it('makes days without reports done of a listed station, and requests no day outside its period (D13)', async () => {
    const station = newStation();
    const periods = { [station]: { archive_begin: '2024-03-03', archive_end: '2024-03-04' } };
    const { daysLeft, paths } = await load([], `--stations ${station} --from 2024-01-01 --to 2025-01-01`, {
      periods,
    });
    assert.equal(daysLeft, 0);
    assert.match(paths[0] ?? '', /sts=2024-03-02T00:00Z&ets=2024-03-06T00:00Z/);
    assert.equal(await coverage(station, '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'), 'complete');
  });

  it('loads provisional days and requests them again in the next run (D13)', async () => {
    const station = newStation();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const line = `--stations ${station} --from ${yesterday} --to ${tomorrow}`;
    const reports = hourly(station, yesterday, 1);
    const first = await load(reports, line);
    assert.deepEqual([first.tally.inserted, first.daysLeft], [reports.length, 0]);
    const second = await load(reports, line);
    assert.ok(second.requests > 0, 'requests of the second run');
    assert.equal(second.tally.inserted, 0);
  });

  describe('when IEM fails', () => {
    for (const fault of IEM_FAULTS.filter((name) => name !== 'unprocessable'))
      it(`loads every report after a fault: ${FAULTS[fault].about}`, async () => {
        const station = newStation();
        const reports = hourly(station, '2024-03-01', 3);
        const run = await load(reports, `--stations ${station} --from 2024-03-01 --to 2024-03-04`, {
          faults: [fault],
        });
        // Two responses in a row are complete and equal.
        assert.deepEqual([run.requests, run.tally.inserted, run.daysLeft], [3, reports.length, 0]);
      });

    it('repeats a request whose response has far fewer reports than other years', async () => {
      const station = newStation();
      const reports = [...hourly(station, '2022-03-01', 5), ...hourly(station, '2023-03-01', 5)];
      await load(reports, `--stations ${station} --from 2022-03-01 --to 2022-03-06`);
      const run = await load(reports, `--stations ${station} --from 2023-03-01 --to 2023-03-06`, {
        faults: ['thinned'],
      });
      assert.deepEqual([run.requests, run.daysLeft], [2, 0]);
      assert.equal((await archived(station)).length, reports.length);
    });

    it('makes no day done by a response that breaks off in an error text, however often it comes (D68)', async () => {
      const station = newStation();
      const run = await load(
        hourly(station, '2024-03-01', 3),
        `--stations ${station} --from 2024-03-01 --to 2024-03-04`,
        { faults: Array(6).fill('error sentence') },
      );
      // Two equal responses, in each of three rounds.
      assert.deepEqual([run.requests, run.failed, run.tally.inserted, run.daysLeft], [6, 1, 0, 3]);
      assert.match(
        run.messages.join('\n'),
        /not loaded: 1 of \d+ rows cannot be read, the first is line \d+, "Oopsy, something failed on our end\.\.\."; expected rows of station, .* \(http.*asos\.py\?station=/,
      );
      const window = ['2024-03-01T00:00:00Z', '2024-03-04T00:00:00Z'] as const;
      assert.equal(await coverage(station, ...window), 'none');
      const next = await load(
        hourly(station, '2024-03-01', 3),
        `--stations ${station} --from 2024-03-01 --to 2024-03-04`,
      );
      assert.equal(next.daysLeft, 0);
    });

    it('names a row that cannot be read, which two equal responses have, and keeps the others (D68)', async () => {
      const station = newStation();
      const reports = hourly(station, '2024-03-01', 1);
      const [first] = reports;
      assert.ok(first);
      const run = await load(
        [{ ...first, metar: `${first.metar}\nno row` }, ...reports.slice(1)],
        `--stations ${station} --from 2024-03-01 --to 2024-03-02`,
      );
      assert.deepEqual([run.requests, run.tally.inserted, run.daysLeft], [2, reports.length, 0]);
      assert.match(run.messages.join('\n'), /: 1 of \d+ rows cannot be read, the first is line 3, "no row"/);
    });

    it('accepts a silent year among busy years after two equal responses', async () => {
      const station = newStation();
      const reports = [...hourly(station, '2022-03-01', 5), ...hourly(station, '2023-03-05', 1)];
      const run = await load(reports, `--stations ${station} --from 2022-03-01 --to 2022-03-06`);
      assert.equal(run.requests, 2);
      const quiet = await load(reports, `--stations ${station} --from 2023-03-01 --to 2023-03-06`);
      assert.deepEqual([quiet.requests, quiet.daysLeft], [2, 0]);
    });
  });
});
