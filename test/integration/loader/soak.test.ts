import assert from 'node:assert/strict';
import { it } from 'mocha';
import type { Archive } from '../../../clickhouse/archive.ts';
import { openArchive } from '../../../clickhouse/client.ts';
import { readCoverage } from '../../../clickhouse/coverage/coverage.ts';
import { readCoverageStates } from '../../../clickhouse/coverage/state.ts';
import { dayRangesOf } from '../../../clickhouse/model/day.ts';
import { migrate } from '../../../clickhouse/schema.ts';
import { NO_LIMIT } from '../../support/archive/archive.ts';
import {
  expectedArchive,
  identityOf,
  readIem,
  readNcei,
  readOgimet,
  type SourceReport,
} from '../../support/archive/expected-archive.ts';
import { readAllReports } from '../../support/archive/use-archive.ts';
import { joinEngineWithLogins } from '../../support/engine/engine.ts';
import { faultSchedule, loadUnderFaults } from '../../support/loader/load-under-faults.ts';
import { describeLong } from '../../support/long.ts';
import { seededRandom } from '../../support/random.ts';
import { hourly } from '../../support/sources/iem-reports.ts';
import { FAULTS, replayIem } from '../../support/sources/replay-iem.ts';
import { NCEI_FAULTS, replayNcei } from '../../support/sources/replay-ncei.ts';
import { OGIMET_FAULTS, replayOgimet } from '../../support/sources/replay-ogimet.ts';
import { sourceFixtures } from '../../support/sources/source-fixtures.ts';
import { newFolder } from '../../support/test-run.ts';

/** Ten years of one station, one of them without reports; and a week of all stations across 1 January. */
const STATION = 'ZZDE';
const EMPTY_YEAR = 2012;
const YEARS = Array.from({ length: 10 }, (_, at) => 2008 + at);
const STATIONS = Array.from({ length: 12 }, (_, at) => `ZW${String(at).padStart(2, '0')}`);
const DAYS = ['12-28', '12-29', '12-30', '12-31']
  .map((day) => `2023-${day}`)
  .concat(['01-01', '01-02', '01-03'].map((day) => `2024-${day}`));

describeLong('backfill under faults and kills', function () {
  this.timeout(300_000);

  it('stores ten years of a station from three sources, report for report, and claims no other day', () =>
    withArchive(async (archive) => {
      const random = seededRandom(1);
      const fixtures = sourceFixtures(
        STATION,
        YEARS.filter((year) => year !== EMPTY_YEAR),
      );
      const reports = [
        ...readIem(fixtures.iem),
        ...readOgimet(fixtures.ogimet),
        ...readNcei(STATION, fixtures.ncei.rows),
      ];
      const iem = await replayIem(fixtures.iem);
      const ogimet = await replayOgimet(fixtures.ogimet);
      const ncei = await replayNcei(fixtures.ncei.numbers, fixtures.ncei.rows);
      try {
        await loadUnderFaults(archive.dataDir, random, {
          sources: { IEM_URL: iem, OGIMET_URL: ogimet, NCEI_URL: ncei },
          firstLoad: `--source iem,ogimet,ncei --stations ${STATION} --from 2008-01-01 --to 2009-01-01 --interval 0`,
          load: `--source iem,ogimet,ncei --stations ${STATION} --from 2008-01-01 --to 2018-01-01 --interval 0`,
          addFaults: () => {
            iem.addFaults(faultSchedule(FAULTS, random));
            ogimet.addFaults(faultSchedule(OGIMET_FAULTS, random));
            ncei.addFaults(faultSchedule(NCEI_FAULTS, random));
          },
          checkClaims: () => checkDaysOfSources(archive.client, reports),
        });
        assert.deepEqual(await storedLines(archive.client), expectedArchive(reports));
        assert.equal(await statusOf(archive.client, STATION, '2008-01-01', '2018-01-01'), 'complete');
        for (const [id, from, to] of [
          [STATION, '2007-12-31', '2008-01-01'],
          [STATION, '2018-01-01', '2018-01-02'],
          ['ZZXX', '2008-01-01', '2018-01-01'],
        ] as const)
          assert.equal(await statusOf(archive.client, id, from, to), 'none', `${id} ${from}`);
        for (const replay of [iem, ogimet, ncei]) await replay.close();
      } finally {
        for (const replay of [iem, ogimet, ncei]) await replay.close().catch(() => {});
      }
    }));

  it('stores a week of all stations, report for report, and claims no other day', () =>
    withArchive(async (archive) => {
      const random = seededRandom(2);
      const fixtures = STATIONS.flatMap((id) => hourly(id, '2023-12-28', DAYS.length));
      const expected = expectedArchive(readIem(fixtures));
      const iem = await replayIem(fixtures);
      const range = (to: string) =>
        `--source iem --stations all --from 2023-12-28 --to ${to} --interval 0 --order oldest`;
      try {
        await loadUnderFaults(archive.dataDir, random, {
          sources: { IEM_URL: iem },
          firstLoad: range('2023-12-29'),
          load: range('2024-01-04'),
          addFaults: () => iem.addFaults(faultSchedule(FAULTS, random)),
          checkClaims: () => checkDaysOfAllStations(archive.client, expected),
        });
        assert.deepEqual(await storedLines(archive.client), expected);
        for (const id of STATIONS)
          assert.equal(await statusOf(archive.client, id, '2023-12-28', '2024-01-04'), 'complete');
        for (const [id, from, to] of [
          ['ZW00', '2023-12-27', '2023-12-28'],
          ['ZW00', '2024-01-04', '2024-01-05'],
          ['ZZXX', '2023-12-28', '2024-01-04'],
        ] as const)
          assert.equal(await statusOf(archive.client, id, from, to), 'none', `${id} ${from}`);
        await iem.close();
      } finally {
        await iem.close().catch(() => {});
      }
    }));
});

type SoakArchive = { readonly client: Archive; readonly dataDir: string };

async function withArchive(work: (archive: SoakArchive) => Promise<void>): Promise<void> {
  const dataDir = await newFolder();
  const engine = await joinEngineWithLogins(dataDir);
  const settings = { url: engine.url, database: 'history', ...engine.users.admin };
  await migrate(settings);
  const client = openArchive(settings);
  try {
    await work({ client, dataDir });
  } finally {
    await client.close();
    await engine.leave();
  }
}

/** Every report of every day that a source's ledger has as done is stored. */
async function checkDaysOfSources(client: Archive, reports: readonly SourceReport[]): Promise<void> {
  const stored = new Set<string>();
  for (const { station, observedAt, raw } of await readAllReports(client))
    stored.add(identityOf({ station, valid: validOf(observedAt), text: raw }));
  const states = await readCoverageStates(client, [STATION], NO_LIMIT);
  for (const { source, days } of states.get(STATION)?.done ?? [])
    for (const { firstDay, endDay } of dayRangesOf(days)) {
      const missing = reports.filter(
        (report) =>
          report.source === source &&
          report.valid >= firstDay &&
          report.valid < endDay &&
          !stored.has(identityOf(report)),
      );
      assert.deepEqual(missing, []);
    }
}

async function checkDaysOfAllStations(client: Archive, expected: readonly string[]): Promise<void> {
  const stored = await storedLines(client);
  const ofDay = (lines: readonly string[], id: string, day: string) =>
    lines.filter((line) => line.startsWith(`${id} ${day}`)).length;
  for (const day of DAYS) {
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    for (const id of STATIONS.slice(0, 3))
      if ((await statusOf(client, id, day, next)) === 'complete')
        assert.equal(ofDay(stored, id, day), ofDay(expected, id, day), `${id} ${day}`);
  }
}

async function storedLines(client: Archive): Promise<readonly string[]> {
  const lines = (await readAllReports(client)).map(
    ({ station, observedAt, type, source, raw }) =>
      `${station} ${validOf(observedAt)} ${type} ${source} ${raw}`,
  );
  return lines.sort();
}

function validOf(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}

async function statusOf(client: Archive, station: string, from: string, to: string) {
  const range = { from: Date.parse(from) / 1000, to: Date.parse(to) / 1000 };
  const { status } = await readCoverage(client, { stations: [station], ...range }, NO_LIMIT);
  return status;
}
