import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Archive } from '../../../clickhouse/archive.ts';
import { openArchive } from '../../../clickhouse/client.ts';
import { readCoverageStates } from '../../../clickhouse/coverage/state.ts';
import { dayRangesOf } from '../../../clickhouse/model/day.ts';
import { migrate } from '../../../clickhouse/schema.ts';
import { readAllReports } from '../../support/archive/archive.ts';
import { readCoverageNow } from '../../support/archive/records.ts';
import { engineOf, joinEngineWithLogins } from '../../support/engine/engine.ts';
import { describeLong } from '../../support/long.ts';
import { startLoader } from '../../support/process.ts';
import { seededRandom } from '../../support/random.ts';
import type { IemReport } from '../../support/sources/iem-reports.ts';
import { FAULTS, replayIem } from '../../support/sources/replay-iem.ts';
import { type IsdRow, NCEI_FAULTS, replayNcei } from '../../support/sources/replay-ncei.ts';
import { OGIMET_FAULTS, type OgimetReport, replayOgimet } from '../../support/sources/replay-ogimet.ts';
import { sourceFixtures } from '../../support/sources/source-fixtures.ts';
import { newFolder } from '../../support/test-run.ts';

/** A report of a source's file, parsed without any code of the loader. */
type SourceReport = {
  readonly source: 'iem' | 'ogimet' | 'ncei';
  readonly station: string;
  /** `YYYY-MM-DD HH:MM`. */
  readonly valid: string;
  readonly text: string;
};

/** The most faithful source first (D4). */
const BY_RANK: readonly SourceReport['source'][] = ['ogimet', 'ncei', 'iem'];

function readIem(rows: readonly IemReport[]): readonly SourceReport[] {
  return rows.map(({ id, valid, metar }) => ({ source: 'iem', station: id, valid, text: oneLine(metar) }));
}

/** The time is that of the report, on the day nearest to the bulletin's; a NIL report without a time is skipped (D8). */
function readOgimet(rows: readonly OgimetReport[]): readonly SourceReport[] {
  return rows.flatMap(({ icao, slot, report }): readonly SourceReport[] => {
    const [, day, hour, minute] = /\b(\d\d)(\d\d)(\d\d)Z/.exec(report) ?? [];
    if (day === undefined) return [];
    const filed = Date.UTC(Number(slot.slice(0, 4)), Number(slot.slice(4, 6)) - 1, Number(slot.slice(6, 8)));
    const date = [-1, 0, 1]
      .map((days) => new Date(filed + days * 86_400_000).toISOString().slice(0, 10))
      .find((candidate) => candidate.endsWith(`-${day}`));
    return [{ source: 'ogimet', station: icao, valid: `${date} ${hour}:${minute}`, text: oneLine(report) }];
  });
}

/** The text of a MET block, without time stamp and initials; one shorter than its length and without an end is cut short. */
function readNcei(station: string, rows: readonly IsdRow[]): readonly SourceReport[] {
  return rows.flatMap(({ type, date, remarks }): readonly SourceReport[] => {
    const [, length, text = ''] = /^MET(\d{3})(.*)$/.exec(remarks) ?? [];
    if (!type.startsWith('FM-1') || type === 'FM-12' || length === undefined) return [];
    if (Number(length) > text.length && !/[=)]$/.test(text)) return [];
    const report = text.replace(/^\S+ \S+ (?=METAR|SPECI)/, '').replace(/ \([A-Z]{2}\)$/, '');
    return [{ source: 'ncei', station, valid: date.slice(0, 16).replace('T', ' '), text: oneLine(report) }];
  });
}

/** Two texts are one report (D4) when station, minute and body are the same. */
function identityOf({ station, valid, text }: Omit<SourceReport, 'source'>): string {
  const body = text
    .replace(/^(METAR|SPECI) /, '')
    .replace(/\bCOR /, '')
    .replace(/[,\s]+/g, ' ');
  return `${station} ${valid} ${body}`;
}

/** Each report once, with the text of the most faithful source; METAR at minute 51 where the text has no keyword. */
function expectedArchive(reports: readonly SourceReport[]): readonly string[] {
  const best = new Map<string, SourceReport>();
  for (const source of BY_RANK)
    for (const report of reports) {
      const identity = identityOf(report);
      if (report.source === source && !best.has(identity)) best.set(identity, report);
    }
  return [...best.values()].map(lineOf).sort();
}

function lineOf({ source, station, valid, text }: SourceReport): string {
  const keyword = /^(METAR|SPECI) /.exec(text)?.[1];
  return `${station} ${valid} ${keyword ?? (valid.endsWith(':51') ? 'METAR' : 'SPECI')} ${source} ${text}`;
}

function oneLine(text: string): string {
  return text
    .replace(/[\s=]+$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What is killed during the load, in random order. */
const KILLS = ['loader', 'loader', 'engine', 'engine'] as const;
/** A rejected request is left for the next run, so a load needs more runs than kills. */
const RUNS_AFTER_KILLS = 3;
/** Below the eight failures that are an outage, which has tests of its own. */
const FAULTS_IN_A_ROW = 3;

type Scenario = {
  /** By the setting that gives the loader their address. */
  readonly sources: Readonly<Record<string, { readonly url: string; readonly requests: readonly unknown[] }>>;
  /** Arguments of a small load without faults: later slices are compared with its volume. */
  readonly firstLoad: string;
  /** Arguments of the load. */
  readonly load: string;
  readonly addFaults: () => void;
  /** Throws when a day is done whose reports are not stored. */
  readonly checkClaims: () => Promise<void>;
};

/**
 * Runs a load until it is complete, with faults of its sources, and with kills of the loader and the engine. The loader is
 * started again; the engine restarts by itself, and may be killed again before it is ready.
 */
async function loadUnderFaults(
  dataDir: string,
  random: () => number,
  { sources, firstLoad, load, addFaults, checkClaims }: Scenario,
): Promise<void> {
  const urls = Object.entries(sources).map(([setting, { url }]) => [setting, url]);
  const env = { ...Object.fromEntries(urls), DATA_DIR: dataDir };
  const countRequests = () => Object.values(sources).reduce((sum, { requests }) => sum + requests.length, 0);
  const first = await startLoader(firstLoad, env).ended;
  assert.equal(first.code, 0, first.out);
  addFaults();
  const kills = shuffled(KILLS, random);
  for (let runs = 1; ; runs += 1) {
    assert.ok(runs <= KILLS.length + RUNS_AFTER_KILLS, 'the load does not complete');
    const loader = startLoader(load, env);
    let hasEnded = false;
    const ended = loader.ended.finally(() => {
      hasEnded = true;
    });
    for (let target = kills.shift(); target !== undefined; target = kills.shift()) {
      const requests = countRequests() + 1 + Math.floor(random() * 3);
      while (countRequests() < requests && !hasEnded) await sleep(5);
      await sleep(random() * 300);
      // The run ended before the kill, for instance after a rejected request: the next run gets it.
      if (hasEnded) kills.unshift(target);
      else if (target === 'engine') await killEngine(dataDir);
      else loader.kill('SIGKILL');
      if (hasEnded || target === 'loader') break;
    }
    const { code, out } = await ended;
    await retryWhileDown(checkClaims);
    if (code === 0) break;
    assert.ok(code === null || code === 3, out);
  }
  assert.deepEqual(kills, [], 'the load completed before all kills');
}

/** Every fault once, in random order, with a whole response after each few. */
function faultSchedule<Fault extends string>(
  faults: Readonly<Record<Fault, string>>,
  random: () => number,
): readonly (Fault | 'none')[] {
  const names = shuffled(Object.keys(faults) as Fault[], random);
  return names.flatMap((fault, at) =>
    at % FAULTS_IN_A_ROW === FAULTS_IN_A_ROW - 1 ? [fault, 'none'] : [fault],
  );
}

/** Waits for an engine to kill, where the one before has just ended. */
async function killEngine(dataDir: string): Promise<void> {
  for (;;) {
    const record = await engineOf(dataDir);
    try {
      if (record !== undefined) return void process.kill(record.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await sleep(20);
  }
}

/** An engine that was killed restarts; a wrong claim stays wrong. */
async function retryWhileDown(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (error instanceof assert.AssertionError || attempt === 60) throw error;
      await sleep(500);
    }
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

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
  const dataDir = newFolder();
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
  const states = await readCoverageStates(client, [STATION]);
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
  const { status } = await readCoverageNow(client, { stations: [station], ...range });
  return status;
}
