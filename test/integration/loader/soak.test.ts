import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { describe, it } from 'mocha';
import { readArchived } from '../../../clickhouse/archived.ts';
import { openArchive } from '../../../clickhouse/client.ts';
import { readCoverage } from '../../../clickhouse/coverage.ts';
import { joinEngine } from '../../../clickhouse/embedded/join.ts';
import { readRecord } from '../../../clickhouse/embedded/record.ts';
import { migrate } from '../../../clickhouse/migrate.ts';
import { NO_LIMIT } from '../../support/archive.ts';
import { chanceOf } from '../../support/chance.ts';
import { folderOf, hourly } from '../../support/replay-folder.ts';
import { type Fault, replayIem } from '../../support/replay-iem.ts';
import { startLoader } from '../../support/replay-program.ts';

/** Another seed plays another night: `SOAK_SEED=7 npx mocha test/integration/loader/soak.test.ts`. */
const SEED = Number(process.env.SOAK_SEED ?? 1);
/** For each of the two commands. */
const KILLS = 4;
const FAULTS: readonly Fault[] = [
  'throttled',
  'over capacity',
  'broken',
  'error text',
  'html',
  'header only',
  'empty',
  'cut connection',
  'cut line',
  'cut between lines',
];

/** A station-decade with a silent year in it, and a week of a small world across New Year. */
const DECADE = 'ZZDE';
const YEARS = Array.from({ length: 10 }, (_, at) => 2008 + at);
const WORLD = Array.from({ length: 12 }, (_, at) => `ZW${String(at).padStart(2, '0')}`);
const DAYS = ['12-28', '12-29', '12-30', '12-31']
  .map((day) => `2023-${day}`)
  .concat(['01-01', '01-02', '01-03'].map((day) => `2024-${day}`));
const COMMANDS = [
  `--source iem --stations ${DECADE} --from 2008-01-01 --to 2018-01-01 --interval 0`,
  '--source iem --stations all --from 2023-12-28 --to 2024-01-04 --interval 0',
];

describe('a backfill in a bad night', () => {
  it(`ends in what the source's files hold, report for report, and claims nothing else (seed ${SEED})`, async function () {
    this.timeout(300_000);
    const chance = chanceOf(SEED);
    const folder = await folderOf([
      ...YEARS.filter((year) => year !== 2012).flatMap((year) =>
        hourly(DECADE, `${year}-01-01`, daysOf(year)),
      ),
      ...WORLD.flatMap((id) => hourly(id, '2023-12-28', DAYS.length)),
    ]);
    const truth = await readFiles(folder.path);
    const dataDir = await mkdtemp(join(tmpdir(), 'soak-'));
    const replay = await replayIem({ folder: folder.path, faults: shuffled(FAULTS, chance) });
    const engine = await joinEngine({ dataDir, port: 0 });
    const settings = { url: engine.url, username: 'default', password: '', database: 'history' };
    await migrate(settings);
    const client = openArchive(settings);
    try {
      for (const command of COMMANDS) {
        let ended = { code: -1 as number | null, out: '' };
        let kill = 0;
        for (; ended.code !== 0; kill += 1) {
          assert.ok(kill <= KILLS, ended.out);
          const loader = startLoader(command, { IEM_URL: replay.url, DATA_DIR: dataDir });
          if (kill < KILLS) {
            const asked = replay.requests.length;
            const over = loader.ended.then(() => true);
            while (replay.requests.length === asked && !(await Promise.race([over, sleep(10, false)])));
            await sleep(chance() * 1500);
            if (kill % 2 === 0) loader.kill('SIGKILL');
            else await killEngine(dataDir);
            // Whoever lost its engine goes on with the next one, and is killed only if that takes too long.
            if (kill % 2 === 1 && chance() < 0.5) {
              await sleep(chance() * 3000);
              loader.kill('SIGKILL');
            }
          }
          ended = await loader.ended;
          await withPatience(() => claimsAreTrue(client, truth));
        }
        assert.ok(kill > 1, 'nothing was killed under way');
      }
      assert.deepEqual(await everything(client), truth);
      assert.deepEqual(await statusOf(client, DECADE, '2008-01-01', '2018-01-01'), 'complete');
      for (const id of WORLD)
        assert.equal(await statusOf(client, id, '2023-12-28', '2024-01-04'), 'complete');
      for (const [id, from, to] of [
        [DECADE, '2007-12-31', '2008-01-01'],
        [DECADE, '2018-01-01', '2018-01-02'],
        ['ZW00', '2023-12-27', '2023-12-28'],
        ['ZW00', '2024-01-04', '2024-01-05'],
        ['ZZXX', '2023-12-28', '2024-01-04'],
      ] as const)
        assert.equal(await statusOf(client, id, from, to), 'none', `${id} ${from}`);
      await replay.close();
    } finally {
      await replay.close().catch(() => {});
      await client.close();
      await engine.leave();
      await folder.remove();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

/** What coverage calls done at this moment is there, whatever has just been killed. */
async function claimsAreTrue(client: ClickHouseClient, truth: readonly string[]): Promise<void> {
  const held = await everything(client);
  const ofPart = (lines: readonly string[], station: string, time: string) =>
    lines.filter((line) => line.startsWith(`${station} ${time}`));
  for (const year of YEARS)
    if ((await statusOf(client, DECADE, `${year}-01-01`, `${year + 1}-01-01`)) === 'complete')
      assert.deepEqual(ofPart(held, DECADE, `${year}`), ofPart(truth, DECADE, `${year}`));
  for (const day of DAYS) {
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    for (const id of WORLD.slice(0, 3))
      if ((await statusOf(client, id, day, next)) === 'complete')
        assert.equal(ofPart(held, id, day).length, ofPart(truth, id, day).length);
  }
}

async function everything(client: ClickHouseClient): Promise<readonly string[]> {
  const rows = await readArchived(client, { station: '*', from: 1_000_000_000, to: 4_000_000_000 }, NO_LIMIT);
  return rows
    .map(({ station, observedAt, type, raw }) => {
      const valid = new Date(observedAt * 1000).toISOString().slice(0, 16).replace('T', ' ');
      return `${station} ${valid} ${type} ${raw}`;
    })
    .sort();
}

async function statusOf(client: ClickHouseClient, station: string, from: string, to: string) {
  const range = { from: Date.parse(from), to: Date.parse(to) };
  const { status } = await readCoverage(client, { stations: [station], ...range }, NO_LIMIT);
  return status;
}

/** The source's files read by themselves, without anything of the loader: station, time, type and text of every row. */
async function readFiles(folder: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const name of await readdir(folder))
    for (const row of (await readFile(join(folder, name), 'utf8')).trim().split('\n').slice(1)) {
      const [station, valid = '', , , metar] = row.split(',');
      lines.push(`${station} ${valid} ${valid.endsWith(':51') ? 'METAR' : 'SPECI'} ${metar}`);
    }
  return lines.sort();
}

async function killEngine(dataDir: string): Promise<void> {
  const record = await readRecord(dataDir);
  if (record !== undefined) process.kill(record.pid, 'SIGKILL');
}

/** An engine that was just killed is back in a moment; a claim that is false stays false. */
async function withPatience(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (error instanceof assert.AssertionError || attempt === 60) throw error;
      await sleep(500);
    }
}

function shuffled<T>(values: readonly T[], chance: () => number): readonly T[] {
  return values
    .map((value) => ({ value, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

function daysOf(year: number): number {
  return (Date.UTC(year + 1, 0) - Date.UTC(year, 0)) / 86_400_000;
}
