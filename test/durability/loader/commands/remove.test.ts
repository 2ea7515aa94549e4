import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObservationsPage } from '../../../../api/client/client.d.ts';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { readStationDays } from '../../../../clickhouse/coverage/station-days.ts';
import { countDays, dayRangesOf, splitByDay, subtract } from '../../../../clickhouse/model/day.ts';
import { windowOfDays } from '../../../../clickhouse/model/time-window.ts';
import { hasLoaders, recordWriter, removalRun } from '../../../../clickhouse/observations/writers.ts';
import { readServerTime } from '../../../../clickhouse/server-time.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { removeStations } from '../../../../loader/commands/remove.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { OBSERVATIONS, startApi } from '../../../support/api/api.ts';
import { readAllReports, useArchive } from '../../../support/archive/archive.ts';
import { day } from '../../../support/archive/ledger.ts';
import { readCoverageNow } from '../../../support/archive/records.ts';
import { loadWith, runLoader } from '../../../support/loader/run-load.ts';
import { hourly } from '../../../support/sources/iem-reports.ts';
import { type IemReplay, replayIem } from '../../../support/sources/replay-iem.ts';

/** Five days. */
const ALL = { firstDay: day('2023-12-30'), endDay: day('2024-01-04') };
/** Two of them, over New Year. */
const CUT = { firstDay: day('2023-12-31'), endDay: day('2024-01-02') };
const DAYS = `--from ${ALL.firstDay} --to ${ALL.endDay}`;
const SINGLE = `--source iem --stations ZZZA,ZZZB ${DAYS}`;
const TOGETHER = `--source iem --stations all ${DAYS}`;
const TABLES = [
  'observations',
  'station_observations',
  'coverage',
  'slices',
  'stations',
  'station_descriptions',
];
/** Two reports of one nominal hour on two days: when the first is removed, the other counts for the hour. */
const EDGE = {
  id: 'ZZZA',
  valid: '2024-01-02 00:20',
  metar: 'METAR ZZZA 020020Z 18011KT 10SM FEW050 11/05 A3002',
};

describe('load -- remove', () => {
  const archive = useArchive('each');
  let source: IemReplay;
  before(async () => {
    const reports = ['ZZZA', 'ZZZB'].flatMap((station) => hourly(station, ALL.firstDay, 5));
    source = await replayIem([...reports, EDGE]);
  });
  after(() => source.close());

  const load = (args: string) => loadWith(archive.client, iem(source.url), args);
  const run = (args: string) => runLoader(archive, args, { IEM_URL: source.url });
  const doneDays = async (station: string) => {
    let days = 0;
    for await (const { due, open } of readStationDays(archive.client, [station], ALL, new Date()))
      days += countDays(subtract(due, open));
    return days;
  };
  /** What counts, with the text; versions may differ. */
  const reportsOf = async (table: string, station: string) =>
    selectRows<{ at: number; counts: string; raw: string }>(archive.client, {
      query: `SELECT toUnixTimestamp(observedAt) AS at, type, counts, raw FROM ${table} FINAL
        WHERE NOT retracted AND station = {station:String} ORDER BY observedAt, raw`,
      params: { station },
    });
  const hours = async () =>
    selectRows(archive.client, {
      query: `SELECT station, year, bitmapCardinality(hours) AS hours, hex(reportDays), hex(lateReportDays), toUnixTimestamp(firstReport) AS first,
        toUnixTimestamp(lastReport) AS last FROM coverage FINAL WHERE firstReport IS NOT NULL ORDER BY station, year`,
    });
  const requestsOf = async (work: () => Promise<unknown>) => {
    const before = source.requests.length;
    await work();
    return source.requests.slice(before).map(({ path }) => /sts=([^T]+).*ets=([^T]+)/.exec(path)?.slice(1));
  };

  const allReports = async () =>
    (await readAllReports(archive.client)).map((row) => JSON.stringify(row)).sort();

  it('says what it would remove and asks for --yes', async () => {
    await load(SINGLE);
    const rows = await allReports();
    const { code, stdout } = await run(`remove ZZZA --from ${CUT.firstDay} --to ${CUT.endDay}`);
    assert.equal(code, 2);
    assert.deepEqual(stdout.trim().split('\n'), [
      'ZZZA: 51 reports (iem 51); 2 complete days',
      'Nothing is removed yet. To remove this from 2023-12-31 to 2024-01-02, add --yes.',
    ]);
    const whole = await run('remove ZZZA ZZZB');
    assert.match(whole.stdout, /^ZZZA: \d+ reports \(iem \d+\); 5 complete days; listed by iem$/m);
    assert.deepEqual(await allReports(), rows);
    assert.equal(await doneDays('ZZZA'), 5);
  });

  for (const [how, line] of [
    ['stations', SINGLE],
    ['all stations', TOGETHER],
  ] as const)
    it(`removes some days that a load of ${how} has done, and the same load requests them again`, async () => {
      await load(line);
      const [before, others, hoursBefore] = [
        await reportsOf('observations', 'ZZZA'),
        await reportsOf('observations', 'ZZZB'),
        await hours(),
      ];
      const { code, out } = await run(`remove ZZZA --from ${CUT.firstDay} --to ${CUT.endDay} --yes`);
      assert.equal(code, 0, out);
      assert.match(out, /^Removed from 2023-12-31 to 2024-01-02: ZZZA\.$/m);
      const { from, to } = windowOfDays(CUT);
      for (const table of ['observations', 'station_observations']) {
        const left = await reportsOf(table, 'ZZZA');
        assert.equal(left.length, before.filter(({ at }) => at < from || at >= to).length);
        assert.ok(left.every(({ at }) => at < from || at >= to));
        // The SPECI of 00:07 is no METAR, and that of 23:51 is gone.
        assert.equal(left.find(({ raw }) => raw === EDGE.metar)?.counts, 'hour');
        assert.deepEqual(await reportsOf(table, 'ZZZB'), others);
      }
      assert.deepEqual([await doneDays('ZZZA'), await doneDays('ZZZB')], [3, 5]);
      const cut = await readCoverageNow(archive.client, { stations: ['ZZZA'], from, to });
      assert.equal(cut.status, 'none');
      const gaps = await run(`gaps --all ${DAYS}`);
      assert.deepEqual(
        gaps.stdout
          .trim()
          .split('\n')
          .map((each) => each.replace(/.* --from/, '--from')),
        ['--from 2023-12-31 --to 2024-01-02  # 2 days not done'],
      );

      const requests = await requestsOf(() => load(line));
      const days =
        how === 'stations'
          ? [
              ['2023-12-31', '2024-01-01'],
              ['2024-01-01', '2024-01-02'],
            ]
          : splitByDay(CUT).map(({ firstDay, endDay }) => [firstDay, endDay]);
      assert.deepEqual(new Set(requests.map(String)), new Set(days.map(String)));
      assert.deepEqual(await reportsOf('observations', 'ZZZA'), before);
      assert.deepEqual(await reportsOf('station_observations', 'ZZZA'), before);
      assert.deepEqual(await hours(), hoursBefore);
      assert.deepEqual([await doneDays('ZZZA'), await doneDays('ZZZB')], [5, 5]);
    });

  it('removes all of a station, and then no load of all stations makes its days done', async () => {
    await load(TOGETHER);
    const before = await reportsOf('observations', 'ZZZA');
    const { code, out } = await run('remove ZZZA --yes');
    assert.equal(code, 0, out);
    for (const table of TABLES) {
      const query = `SELECT * FROM ${table} WHERE station = 'ZZZA'`;
      assert.deepEqual(await selectRows(archive.client, { query }), [], table);
    }
    assert.equal(await doneDays('ZZZB'), 5);
    assert.equal((await run('gaps')).code, 0);
    // Listed again by a load of other days, it has none of the removed ones.
    await load('--source iem --stations ZZZA --from 2024-01-02 --to 2024-01-03');
    assert.equal(await doneDays('ZZZA'), 1);
    await load(TOGETHER);
    assert.deepEqual(await reportsOf('observations', 'ZZZA'), before);
    assert.deepEqual([await doneDays('ZZZA'), await doneDays('ZZZB')], [5, 5]);
  });

  it('refuses while a loader writes reports of these days, but not after a removal that was killed', async () => {
    await load(SINGLE);
    const rows = await allReports();
    const line = `remove ZZZA --from ${CUT.firstDay} --to ${CUT.endDay} --yes`;
    const { from, to } = windowOfDays(CUT);
    const loader = { run: 'loader', from: to - 60, to: to + 60 };
    await recordWriter(archive.client, { run: 'of other days', from: to, to: to + 60, isOpen: true });
    await recordWriter(archive.client, { run: 'ended', from, to, isOpen: false });
    await recordWriter(archive.client, { run: removalRun(), from, to, isOpen: true });
    await recordWriter(archive.client, { ...loader, isOpen: true });
    const { code, stdout } = await run(line);
    assert.equal(code, 3);
    assert.match(
      stdout,
      /^Nothing is removed, because a loader is writing reports of these days\. Run the same/m,
    );
    assert.deepEqual(await allReports(), rows);
    assert.equal(await doneDays('ZZZA'), 5);

    await recordWriter(archive.client, { ...loader, isOpen: false });
    // It has ended, but after this time: what it has recorded is not certain.
    const now = await readServerTime(archive.client);
    assert.equal(await hasLoaders(archive.client, { from, to }, now - 600), true);
    assert.equal(await hasLoaders(archive.client, { from, to }, now), false);
    assert.equal((await run(line)).code, 0);
    assert.equal(await doneDays('ZZZA'), 3);
  });

  for (const isWhole of [false, true])
    it(`claims nothing false when it is interrupted at any statement, and resumes: ${isWhole ? 'a station' : 'some days'}`, async () => {
      await load(TOGETHER);
      const scope = { stations: ['ZZZA'], ...(isWhole ? ALL : CUT) };
      const full = new Map(await countsByDay('ZZZA'));
      const check = async () => {
        for (const table of ['observations', 'station_observations'])
          await assertDoneDaysAreFull(table, full);
        assert.equal(await doneDays('ZZZB'), 5);
      };
      /** Is killed when one table has lost its reports. */
      const killed = beforeChanges(archive.client, async (change) => {
        await check();
        assert.doesNotMatch(change, /ALTER TABLE observations/, 'killed');
      });
      await assert.rejects(removeStations(killed, scope, isWhole), /killed/);
      // The next loader copies what one table lacks.
      await load(`--source iem --stations ZZZB --from 2024-01-03 --to ${ALL.endDay} --refetch`);
      assert.deepEqual(new Map(await countsByDay('ZZZA', 'station_observations')), full);
      await removeStations(beforeChanges(archive.client, check), scope, isWhole);
      await check();
      assert.equal(await doneDays('ZZZA'), isWhole ? 0 : 3);
      for (const table of ['observations', 'station_observations'])
        assert.equal((await reportsOf(table, 'ZZZA')).filter(({ at }) => dayIn(at, scope)).length, 0);
      await load(SINGLE);
      assert.deepEqual([await doneDays('ZZZA'), await doneDays('ZZZB')], [5, 5]);
      assert.deepEqual(new Map(await countsByDay('ZZZA')), full);
    });

  async function countsByDay(station: string, table = 'observations'): Promise<[string, number][]> {
    const counts = new Map<string, number>();
    for (const { at } of await reportsOf(table, station)) {
      const key = new Date(at * 1000).toISOString().slice(0, 10);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts];
  }

  async function assertDoneDaysAreFull(table: string, full: ReadonlyMap<string, number>): Promise<void> {
    const counts = new Map(await countsByDay('ZZZA', table));
    for await (const { due, open } of readStationDays(archive.client, ['ZZZA'], ALL, new Date()))
      for (const { firstDay } of dayRangesOf(subtract(due, open)).flatMap(splitByDay))
        assert.equal(counts.get(firstDay), full.get(firstDay), `${table} ${firstDay}`);
  }
});

function dayIn(
  at: number,
  { firstDay, endDay }: { readonly firstDay: string; readonly endDay: string },
): boolean {
  const text = new Date(at * 1000).toISOString().slice(0, 10);
  return text >= firstDay && text < endDay;
}

/** An archive that does something before each change: in the state that a loader leaves which is killed there. */
function beforeChanges(client: Archive, work: (change: string) => Promise<void>): Archive {
  return {
    ...client,
    insert: (insert, ...rest) => work(insert.table).then(() => client.insert(insert, ...rest)),
    command: (statement, ...rest) => work(statement.query).then(() => client.command(statement, ...rest)),
  };
}

describe('removed reports', () => {
  const archive = useArchive();

  it('are in no page and no coverage of a running service two seconds later', async () => {
    const source = await replayIem(hourly('ZZZA', ALL.firstDay, 5));
    await loadWith(archive.client, iem(source.url), `--source iem --stations ZZZA ${DAYS}`);
    await source.close();
    const api = await startApi(archive.client);
    const query = 'stations=ZZZA&from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z';
    const read = async () => {
      const { data, meta } = (await (await api.get(`${OBSERVATIONS}?${query}`)).json()) as ObservationsPage;
      return [data.length, meta.coverage.status];
    };
    const before = await read();
    await removeStations(archive.client, { stations: ['ZZZA'], ...CUT }, false);
    await sleep(2000);
    const after = await read();
    await api.stop();
    assert.deepEqual(
      [before, after],
      [
        [25, 'complete'],
        [0, 'none'],
      ],
    );
  });
});
