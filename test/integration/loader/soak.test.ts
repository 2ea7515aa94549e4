import assert from 'node:assert/strict';
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
import { FAULTS, replayIem } from '../../support/sources/replay-iem.ts';
import { NCEI_FAULTS, replayNcei } from '../../support/sources/replay-ncei.ts';
import { OGIMET_FAULTS, replayOgimet } from '../../support/sources/replay-ogimet.ts';
import { sourceFixtures } from '../../support/sources/source-fixtures.ts';
import { newFolder } from '../../support/test-run.ts';

/** Ten years of one station, one of them without reports. */
const STATION = 'ZZDE';
const EMPTY_YEAR = 2012;
const YEARS = Array.from({ length: 10 }, (_, at) => 2008 + at);

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
