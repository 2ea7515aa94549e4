import assert from 'node:assert/strict';
import { addDays, countDays, daySetOf } from '../../../../clickhouse/model/day.ts';
import { windowOfDays } from '../../../../clickhouse/model/time-window.ts';
import { rebuildCoverage } from '../../../../clickhouse/recovery/recover-archive.ts';
import { REPORT_TABLES } from '../../../../clickhouse/statements/current-reports.ts';
import { findGaps, type Gap } from '../../../../loader/checks/gaps.ts';
import { formatGaps } from '../../../../loader/commands/gaps.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { insert, put, readAllReports, report, useArchive } from '../../../support/archive/archive.ts';
import { day, list, recordDone, sliceRecord } from '../../../support/archive/ledger.ts';
import { readCoverageNow } from '../../../support/archive/records.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { hourly } from '../../../support/sources/iem-reports.ts';
import { type IemReplay, replayIem } from '../../../support/sources/replay-iem.ts';
import { withReplay } from '../../../support/sources/replay-server.ts';

const NOW = new Date('2026-06-01T00:00:00Z');

describe('gaps of an archive', () => {
  const archive = useArchive();

  const find = (stations: readonly string[], from: string, to: string) =>
    findGaps(archive.client, { stations, firstDay: day(from), endDay: day(to) }, NOW);
  const gapsOf = async (stations: readonly string[], from: string, to: string) =>
    (await find(stations, from, to)).gaps;
  const daysOf = (gaps: readonly Gap[]) =>
    gaps.map(({ kind, source, firstDay, endDay }) => [kind, source, firstDay, endDay]);
  /** Rows of the ledger, each of a run of its own. */
  const record = (...slices: readonly (ReturnType<typeof sliceRecord> & { readonly recordedAt: string })[]) =>
    archive.client.insert({
      table: 'slices',
      rows: slices.map((slice) => ({ ...slice, run: slice.recordedAt })),
    });

  it('are only of days that loads have asked for, without those of synthetic reports, unless all are wanted', async () => {
    await list(
      archive.client,
      { station: 'ZZZH', firstDay: day('2020-01-01') },
      { station: 'ZZZI', firstDay: day('2020-01-01') },
    );
    const asked = async () => {
      const scope = { stations: [], firstDay: day('2023-01-01'), endDay: day('2025-01-01') };
      const { gaps } = await findGaps(archive.client, scope, NOW, 'asked');
      return gaps.map(({ station, firstDay, endDay }) => [station, firstDay, endDay]);
    };
    assert.deepEqual(await asked(), []);
    /** Loaded while its last days were provisional. */
    const load = (firstDay: string, doneDay: string, endDay: string, station: string, source = 'iem') =>
      recordDone(archive.client, firstDay, endDay, { station, source, doneDay: day(doneDay) });
    await load('2024-03-01', '2024-03-05', '2024-03-08', 'ZZZH');
    assert.deepEqual(await asked(), [['ZZZH', '2024-03-05', '2024-03-08']]);
    await load('2024-05-01', '2024-05-01', '2024-05-02', '*');
    assert.deepEqual((await asked()).slice(-1), [['ZZZI', '2024-05-01', '2024-05-02']]);
    await load('2024-06-01', '2024-06-01', '2024-06-02', 'ZZZI', 'demo');
    assert.deepEqual((await asked()).slice(-1), [['ZZZI', '2024-05-01', '2024-05-02']]);
    await archive.client.command({ query: "DELETE FROM slices WHERE station IN ('ZZZH', 'ZZZI', '*')" });
    await archive.client.command({ query: "DELETE FROM stations WHERE station IN ('ZZZH', 'ZZZI')" });
  });

  it('are days that a loader or a server with a wrong clock has recorded, by the clock of the server (D70)', async () => {
    await list(archive.client, { station: 'ZZZJ' }, { station: 'ZZZK' });
    const days = (firstDay: string, endDay: string, station: string, recordedAt: string) => {
      const length = countDays(daySetOf({ firstDay: day(firstDay), endDay: day(endDay) }));
      const reportsByDay = Array<number>(length).fill(0);
      return { ...sliceRecord(firstDay, endDay, { station, reportsByDay }), recordedAt };
    };
    // The 6th had ended 72 hours before.
    await record(days('2024-02-01', '2024-02-20', 'ZZZJ', '2024-02-10 12:00:00'));
    await record(days('2024-02-01', '2024-02-20', 'ZZZK', '2099-01-01 00:00:00'));
    const found = async () =>
      (await gapsOf(['ZZZJ', 'ZZZK'], '2024-02-01', '2024-02-20'))
        .filter(({ kind }) => kind === 'not done')
        .map(({ station, source, firstDay, endDay }) => [station, source, firstDay, endDay]);
    const ofBoth = [
      ['ZZZJ', 'iem', '2024-02-07', '2024-02-20'],
      ['ZZZK', 'iem', '2024-02-01', '2024-02-20'],
    ];
    assert.deepEqual(await found(), ofBoth);
    await rebuildCoverage(archive.client, 2024);
    assert.deepEqual(await found(), ofBoth);
    await record(days('2024-02-05', '2024-02-20', 'ZZZJ', '2024-03-10 12:00:00'));
    assert.deepEqual(await found(), ofBoth.slice(1));
  });

  it('name a source that lists the station, whose period and own end allow the day (D39, D88)', async () => {
    await list(
      archive.client,
      { station: 'ZZZD', source: 'ncei', firstDay: day('2020-01-01') },
      { station: 'ZZZD', source: 'iem', firstDay: day('2025-09-01') },
    );
    const { gaps, unfillable } = await find(['ZZZD'], '2025-08-20', '2025-09-11');
    assert.deepEqual(daysOf(gaps), [
      ['not done', 'iem', '2025-09-01', '2025-09-11'],
      ['not done', 'ncei', '2025-08-20', '2025-08-29'],
    ]);
    assert.deepEqual(unfillable, { days: 3, stations: 1 });
  });

  it('include done days with far fewer reports than the days around, until they are loaded again', async () => {
    const reports = hourly('ZZZC', '2024-03-01', 31);
    const line = '--source iem --stations ZZZC --from 2024-03-01 --to 2024-04-01';
    const load = (served: typeof reports, more = '') =>
      withReplay(replayIem(served), ({ url }) => loadWith(archive.client, iem(url), line + more));
    await load(reports.filter(({ valid }) => valid < '2024-03-15 05' || valid > '2024-03-16'));
    const lowDay = { station: 'ZZZC', source: 'iem', firstDay: '2024-03-15', endDay: '2024-03-16' };
    assert.deepEqual(await gapsOf(['ZZZC'], '2024-03-01', '2024-04-01'), [
      { kind: 'low count', ...lowDay, reports: 5, usual: 26 },
    ]);
    await load(reports, ' --refetch');
    assert.deepEqual(await gapsOf(['ZZZC'], '2024-03-01', '2024-04-01'), []);
  });

  it('include days without any report, until runs on two days or two sources have found them empty', async () => {
    const scope = ['2024-08-01', '2024-11-01'] as const;
    const dates = Array.from({ length: 92 }, (_, n) => addDays(day('2024-08-01'), n));
    const has = (date: string) => date < '2024-09-01' || date >= '2024-09-28';
    await list(archive.client, { station: 'ZZZS' }, { station: 'ZZZS', source: 'ogimet' });
    const times = dates.filter(has).flatMap((date) => [`${date}T00:00:00Z`, `${date}T12:00:00Z`]);
    await insert(archive.client, ...times.map((at) => put(report({ station: 'ZZZS', at }))));
    const silent = [['silent', 'iem', '2024-09-01', '2024-09-28']];
    const loaded = (firstDay: string, endDay: string, recordedAt: string, source = 'iem') =>
      record({ ...sliceRecord(firstDay, endDay, { station: 'ZZZS', source }), recordedAt });
    await loaded('2024-08-01', '2024-11-01', '2025-01-01 06:00:00');
    assert.deepEqual(daysOf(await gapsOf(['ZZZS'], ...scope)), silent);
    await loaded('2024-09-01', '2024-09-28', '2025-01-01 09:00:00');
    assert.deepEqual(daysOf(await gapsOf(['ZZZS'], ...scope)), silent);
    await loaded('2024-09-01', '2024-09-21', '2025-01-02 06:00:00');
    assert.deepEqual(daysOf(await gapsOf(['ZZZS'], ...scope)), [
      ['silent', 'iem', '2024-09-21', '2024-09-28'],
    ]);
    await loaded('2024-09-21', '2024-09-28', '2025-01-01 10:00:00', 'ogimet');
    assert.deepEqual(daysOf(await gapsOf(['ZZZS'], ...scope)), []);
  });

  it('include whole years without reports, unless a period of record ends them (D71)', async () => {
    const [station, years] = ['ZZZY', [2020, 2021, 2022, 2023, 2024, 2025]];
    /** The station is closed at weekends. */
    const days = (year: number) =>
      Array.from({ length: 364 }, (_, n) => addDays(day(`${year}-01-02`), n)).filter(
        (each) => ![0, 6].includes(new Date(each).getUTCDay()),
      );
    const reports = [2020, 2024]
      .flatMap(days)
      .map((each) => put(report({ station, at: `${each}T12:00:00Z` })));
    await insert(archive.client, ...reports);
    const load = (recordedAt: string, of = years, source = 'iem') =>
      record(
        ...of.map((year) => ({
          ...sliceRecord(`${year}-01-01`, `${year + 1}-01-01`, { station, source }),
          recordedAt,
        })),
      );
    await list(archive.client, { station }, { station, source: 'ogimet' });
    await load('2026-02-01 06:00:00');
    const scope = ['2020-01-01', '2026-01-01'] as const;
    const silent = async () => daysOf(await gapsOf([station], ...scope));
    const [inside, after] = [
      ['silent', 'iem', '2020-12-31', '2024-01-02'],
      ['silent', 'iem', '2024-12-31', '2026-01-01'],
    ];
    assert.deepEqual(await silent(), [inside, after]);
    // A part of the range says the same of its days.
    assert.deepEqual(daysOf(await gapsOf([station], '2021-06-01', '2021-06-04')), [
      ['silent', 'iem', '2021-06-01', '2021-06-04'],
    ]);
    await list(archive.client, { station, firstDay: day('2010-01-01'), lastDay: day('2025-01-03') });
    await list(archive.client, {
      station,
      source: 'ogimet',
      firstDay: day('2010-01-01'),
      lastDay: day('2025-01-03'),
    });
    assert.deepEqual(await silent(), [inside]);
    await load('2026-02-01 12:00:00', [2021, 2022, 2023, 2024]);
    assert.deepEqual(await silent(), [inside]);
    await load('2026-02-02 06:00:00', [2021]);
    await load('2026-02-01 06:00:00', [2022], 'ogimet');
    assert.deepEqual(await silent(), [['silent', 'iem', '2023-01-01', '2024-01-02']]);
    await load('2026-02-03 06:00:00', [2023, 2024]);
    assert.deepEqual(await silent(), []);
  });

  it('name the years that a source answered with nothing, and the command loads what it has by then (D71)', async () => {
    const station = 'ZZZW';
    const years = (...some: readonly number[]) =>
      some
        .flatMap((year) => hourly(station, `${year}-01-01`, 365))
        .filter(({ valid }) => valid.endsWith('12:51'));
    const range = '--from 2021-01-01 --to 2024-01-01';
    await list(archive.client, { station });
    const load = (served: ReturnType<typeof years>, args: string) =>
      withReplay(replayIem(served), ({ url }) => loadWith(archive.client, iem(url), args));
    await load(years(2022), `--source iem --stations ${station} ${range}`);
    const lines = async () => {
      const scope = { stations: [station], firstDay: day('2021-01-01'), endDay: day('2024-01-01') };
      return formatGaps(await findGaps(archive.client, scope, NOW));
    };
    const reason = (days: number) =>
      `no report on ${days} days, unlike the station's other days: two runs on different days must find them empty`;
    const command = 'npm run load -- --source iem --stations ZZZW';
    assert.deepEqual(await lines(), [
      `${command} --from 2021-01-01 --to 2022-01-01 --refetch  # ${reason(365)}`,
      `${command} --from 2023-01-01 --to 2024-01-01 --refetch  # ${reason(365)}`,
    ]);
    for (const line of await lines())
      await load(years(2021, 2022), line.replace(/^npm run load -- | {2}#.*$/g, ''));
    assert.deepEqual(await lines(), [
      `${command} --from 2023-01-01 --to 2024-01-01 --refetch  # ${reason(365)}`,
    ]);
  });

  it('leave out a low day that two runs have received with the same number of reports (D39)', async () => {
    const dates = Array.from({ length: 28 }, (_, n) => `2024-02-${String(n + 1).padStart(2, '0')}`);
    const hours = (date: string) => (date === '2024-02-14' ? [12] : Array.from({ length: 24 }, (_, n) => n));
    await list(archive.client, { station: 'ZZZG' });
    const times = dates.flatMap((date) =>
      hours(date).map((hour) => `${date}T${String(hour).padStart(2, '0')}:00:00Z`),
    );
    await insert(archive.client, ...times.map((at) => put(report({ station: 'ZZZG', at }))));
    const month = sliceRecord('2024-02-01', '2024-03-01', { station: 'ZZZG', reports: 27 * 24 + 1 });
    const lowDay = sliceRecord('2024-02-14', '2024-02-15', { station: 'ZZZG', reports: 1 });
    await record({ ...month, recordedAt: '2024-06-01 00:00:00' });
    assert.equal((await gapsOf(['ZZZG'], '2024-02-01', '2024-03-01')).length, 1);
    await record({ ...lowDay, recordedAt: '2024-06-02 00:00:00' });
    assert.equal((await gapsOf(['ZZZG'], '2024-02-01', '2024-03-01')).length, 1);
    await record({ ...lowDay, recordedAt: '2024-06-03 00:00:00' });
    assert.deepEqual(await gapsOf(['ZZZG'], '2024-02-01', '2024-03-01'), []);
    await record({ ...lowDay, reports: 2, recordedAt: '2024-06-04 00:00:00' });
    assert.deepEqual(
      (await gapsOf(['ZZZG'], '2024-02-01', '2024-03-01')).map(({ kind }) => kind),
      ['low count'],
    );
  });

  it('count all reports of a slice that reaches beyond the scope', async () => {
    await loadWith(archive.client, demo(), '--source demo --stations XAAC --from 2024-01-01 --to 2024-12-01');
    assert.deepEqual(await gapsOf(['XAAC'], '2024-03-01', '2024-04-01'), []);
  });
});

const MARCH = '--source iem --stations XAAA,XAAB --from 2024-03-01 --to 2024-04-01';

/** Reports that vanish behind the back of the loader, as after a power failure. */
describe('reports that the archive has lost', () => {
  const archive = useArchive();
  let source: IemReplay;
  before(async () => {
    source = await replayIem(['XAAA', 'XAAB'].flatMap((station) => hourly(station, '2024-03-01', 31)));
  });
  after(() => source.close());

  const load = (args: string) => loadWith(archive.client, iem(source.url), args);
  const gaps = async (stations: readonly string[] = []) => {
    const scope = { stations, firstDay: day('2024-02-01'), endDay: day('2024-05-01') };
    const lines = formatGaps(await findGaps(archive.client, scope, NOW));
    return lines.filter((line) => !line.includes('not done'));
  };
  const lose = async (statement: string) => {
    for (const table of REPORT_TABLES)
      await archive.client.command({
        query: `ALTER TABLE ${table} ${statement} SETTINGS mutations_sync = 2`,
      });
  };
  const status = async () => {
    const march = windowOfDays({ firstDay: day('2024-03-01'), endDay: day('2024-04-01') });
    return (await readCoverageNow(archive.client, { stations: ['XAAA', 'XAAB'], ...march })).status;
  };

  const cases: readonly {
    readonly title: string;
    readonly runs: readonly string[];
    readonly lost: string;
    readonly lines: readonly string[];
  }[] = [
    {
      title: 'are named where one of a month is gone',
      runs: [MARCH],
      lost: "DELETE WHERE station = 'XAAB' AND observedAt = '2024-03-20 05:51:00'",
      lines: [
        'npm run load -- --source iem --stations XAAB --from 2024-03-20 --to 2024-03-21 --refetch  # 24 of the 25 reports that the ledger records',
      ],
    },
    {
      title: 'are named although two runs have received the same number (D39)',
      runs: [MARCH, `${MARCH} --refetch`, `${MARCH} --refetch`],
      lost: 'DELETE WHERE toYear(observedAt) = 2024',
      lines: [
        'npm run load -- --source iem --stations XAAA,XAAB --from 2024-03-01 --to 2024-04-01 --refetch  # 0 of the 1588 reports that the ledger records at each of 2 stations',
      ],
    },
  ];
  for (const { title, runs, lost, lines } of cases)
    it(`${title}, and the printed command brings them back`, async () => {
      for (const args of runs) await load(args);
      const complete = await readAllReports(archive.client);
      assert.deepEqual(await gaps(), []);
      await lose(lost);
      assert.equal(await status(), 'complete', 'ledger and coverage still claim the days');
      assert.deepEqual(await gaps(), lines);
      assert.deepEqual(await gaps(['XAAA', 'XAAB']), lines);
      for (const line of lines) await load(line.replace(/^npm run load -- | {2}#.*$/g, ''));
      assert.deepEqual(await gaps(), []);
      assert.equal((await readAllReports(archive.client)).length, complete.length);
    });

  it('are named for days that coverage claims without a row of the ledger', async () => {
    await archive.client.command({ query: 'TRUNCATE TABLE slices' });
    const lines = [
      'npm run load -- --source iem --stations XAAA,XAAB --from 2024-03-01 --to 2024-04-01 --refetch  # the ledger has no record of these days at each of 2 stations',
    ];
    assert.deepEqual(await gaps(), lines);
    for (const line of lines) await load(line.replace(/^npm run load -- | {2}#.*$/g, ''));
    assert.deepEqual(await gaps(), []);
  });
});
