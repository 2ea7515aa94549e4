import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { describe, it } from 'mocha';
import { openArchive } from '../../../clickhouse/client.ts';
import { readCoverage } from '../../../clickhouse/coverage/coverage.ts';
import { coverageStateReader } from '../../../clickhouse/coverage/state.ts';
import { joinEngine } from '../../../clickhouse/embedded/join.ts';
import { migrate } from '../../../clickhouse/migrate.ts';
import { dayRangesOf } from '../../../clickhouse/model/day-set.ts';
import { NO_LIMIT } from '../../support/archive.ts';
import { heldBy } from '../../support/block-archive.ts';
import { chanceOf } from '../../support/chance.ts';
import { decadeOf } from '../../support/decade.ts';
import { freePort } from '../../support/engine.ts';
import { comeThrough, nightOf } from '../../support/night.ts';
import { archiveOf, identityOf, type Read, readIem, readNcei, readOgimet } from '../../support/reading.ts';
import { folderOf, hourly } from '../../support/replay-folder.ts';
import { FAULTS, replayIem } from '../../support/replay-iem.ts';
import { NCEI_FAULTS, replayNcei } from '../../support/replay-ncei.ts';
import { OGIMET_FAULTS, replayOgimet } from '../../support/replay-ogimet.ts';

/** Another seed plays another night: `SOAK_SEED=7 npx mocha test/integration/loader/soak.test.ts`. */
const SEED = Number(process.env.SOAK_SEED ?? 1);
/** A station-decade with a silent year in it, and a week of a small world across New Year. */
const DECADE = 'ZZDE';
const SILENT = 2012;
const YEARS = Array.from({ length: 10 }, (_, at) => 2008 + at);
const WORLD = Array.from({ length: 12 }, (_, at) => `ZW${String(at).padStart(2, '0')}`);
const DAYS = ['12-28', '12-29', '12-30', '12-31']
  .map((day) => `2023-${day}`)
  .concat(['01-01', '01-02', '01-03'].map((day) => `2024-${day}`));

describe('a backfill in a bad night', function () {
  this.timeout(300_000);

  it(`of a station-decade from three sources ends in what their files hold, report for report, and claims nothing else (seed ${SEED})`, () =>
    withArchive(async (archive) => {
      const chance = chanceOf(SEED);
      const filed = decadeOf(
        DECADE,
        YEARS.filter((year) => year !== SILENT),
      );
      const reads = [
        ...readIem(filed.iem),
        ...readOgimet(filed.ogimet),
        ...readNcei(DECADE, filed.ncei.rows),
      ];
      const folder = await folderOf(filed.iem);
      const iem = await replayIem({ folder: folder.path });
      const ogimet = await replayOgimet(filed.ogimet);
      const ncei = await replayNcei(filed.ncei.numbers, filed.ncei.rows);
      try {
        await comeThrough(archive.dataDir, chance, {
          sources: { IEM_URL: iem, OGIMET_URL: ogimet, NCEI_URL: ncei },
          calm: `--source iem,ogimet,ncei --stations ${DECADE} --from 2008-01-01 --to 2009-01-01 --interval 0`,
          command: `--source iem,ogimet,ncei --stations ${DECADE} --from 2008-01-01 --to 2018-01-01 --interval 0`,
          night: () => {
            iem.misbehave(nightOf(FAULTS, chance));
            ogimet.misbehave(nightOf(OGIMET_FAULTS, chance));
            ncei.misbehave(nightOf(NCEI_FAULTS, chance));
          },
          claims: () => claimsOfSources(archive.client, reads),
        });
        assert.deepEqual(await everything(archive.client), archiveOf(reads));
        assert.equal(await statusOf(archive.client, DECADE, '2008-01-01', '2018-01-01'), 'complete');
        for (const [id, from, to] of [
          [DECADE, '2007-12-31', '2008-01-01'],
          [DECADE, '2018-01-01', '2018-01-02'],
          ['ZZXX', '2008-01-01', '2018-01-01'],
        ] as const)
          assert.equal(await statusOf(archive.client, id, from, to), 'none', `${id} ${from}`);
        for (const replay of [iem, ogimet, ncei]) await replay.close();
      } finally {
        for (const replay of [iem, ogimet, ncei]) await replay.close().catch(() => {});
        await folder.remove();
      }
    }));

  it(`of a week of the world ends in what the files hold, report for report, and claims nothing else (seed ${SEED})`, () =>
    withArchive(async (archive) => {
      const chance = chanceOf(SEED + 1);
      const filed = WORLD.flatMap((id) => hourly(id, '2023-12-28', DAYS.length));
      const truth = archiveOf(readIem(filed));
      const folder = await folderOf(filed);
      const iem = await replayIem({ folder: folder.path });
      const range = (to: string) =>
        `--source iem --stations all --from 2023-12-28 --to ${to} --interval 0 --order oldest`;
      try {
        await comeThrough(archive.dataDir, chance, {
          sources: { IEM_URL: iem },
          calm: range('2023-12-29'),
          command: range('2024-01-04'),
          night: () => iem.misbehave(nightOf(FAULTS, chance)),
          claims: () => claimsOfDays(archive.client, truth),
        });
        assert.deepEqual(await everything(archive.client), truth);
        for (const id of WORLD)
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
        await folder.remove();
      }
    }));
});

type Archive = { readonly client: ClickHouseClient; readonly dataDir: string };

async function withArchive(work: (archive: Archive) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'soak-'));
  const engine = await joinEngine({
    dataDir,
    port: await freePort(),
    database: 'history',
    adminPassword: undefined,
  });
  const settings = { url: engine.url, database: 'history', ...engine.users.admin };
  await migrate(settings);
  const client = openArchive(settings);
  try {
    await work({ client, dataDir });
  } finally {
    await client.close();
    await engine.leave();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** What a source's ledger calls done at this moment is there, every report of it, whatever has just been killed. */
async function claimsOfSources(client: ClickHouseClient, reads: readonly Read[]): Promise<void> {
  const held = new Set<string>();
  for (const { station, observedAt, raw } of await readAll(client))
    held.add(identityOf({ station, valid: validOf(observedAt), text: raw }));
  const states = await coverageStateReader(client)([DECADE], NO_LIMIT);
  for (const { source, days } of states.get(DECADE)?.done ?? [])
    for (const { firstDay, endDay } of dayRangesOf(days)) {
      const missing = reads.filter(
        (read) =>
          read.source === source &&
          read.valid >= firstDay &&
          read.valid < endDay &&
          !held.has(identityOf(read)),
      );
      assert.deepEqual(missing, []);
    }
}

async function claimsOfDays(client: ClickHouseClient, truth: readonly string[]): Promise<void> {
  const held = await everything(client);
  const ofDay = (lines: readonly string[], id: string, day: string) =>
    lines.filter((line) => line.startsWith(`${id} ${day}`)).length;
  for (const day of DAYS) {
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    for (const id of WORLD.slice(0, 3))
      if ((await statusOf(client, id, day, next)) === 'complete')
        assert.equal(ofDay(held, id, day), ofDay(truth, id, day), `${id} ${day}`);
  }
}

async function everything(client: ClickHouseClient): Promise<readonly string[]> {
  const lines = (await readAll(client)).map(
    ({ station, observedAt, type, source, raw }) =>
      `${station} ${validOf(observedAt)} ${type} ${source} ${raw}`,
  );
  return lines.sort();
}

function readAll(client: ClickHouseClient) {
  return heldBy(client);
}

function validOf(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}

async function statusOf(client: ClickHouseClient, station: string, from: string, to: string) {
  const range = { from: Date.parse(from), to: Date.parse(to) };
  const { status } = await readCoverage(client, { stations: [station], ...range }, NO_LIMIT);
  return status;
}
