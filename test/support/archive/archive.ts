import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Archive, Select } from '../../../clickhouse/archive.ts';
import { openArchive } from '../../../clickhouse/client.ts';
import { newRun } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { DayMarks } from '../../../clickhouse/days/day-months.ts';
import { type Counts, fingerprint, type Report, versionAbove } from '../../../clickhouse/model/report.ts';
import { insertRevisions, type Revision } from '../../../clickhouse/observations/insert.ts';
import type { StoredReport } from '../../../clickhouse/observations/stored-reports.ts';
import { migrate } from '../../../clickhouse/schema.ts';
import { selectRows } from '../../../clickhouse/statements/select.ts';
import { readStatement } from '../../../clickhouse/statements/sql.ts';
import {
  type DescriptionRanks,
  recordStationDescriptions,
  type StationDescription,
} from '../../../clickhouse/stations.ts';
import { choose, correctionOf } from '../../../loader/pipeline/choose.ts';
import { rankOfText } from '../../../loader/sources/registry.ts';
import { createTestDatabase, joinOpenEngine, sharedEngine } from '../engine/engine.ts';

export const NO_LIMIT = new AbortController().signal;

export type TestArchive = {
  readonly client: Archive;
  readonly url: string;
  readonly database: string;
  close(): Promise<void>;
};

/** Databases of this process that closed archives have left empty. */
const emptied: string[] = [];

/** An archive with its schema and nothing in it: a database of its own in the engine that all tests share. */
export async function emptyArchive(): Promise<TestArchive> {
  const url = await sharedEngine();
  const database = emptied.pop() ?? (await createDatabase(url));
  const client = openDatabase(url, database);
  const before = await readTables(client);
  return {
    client,
    url,
    database,
    async close() {
      if (await empty(client, before)) emptied.push(database);
      else await client.command({ query: `DROP DATABASE ${database}` });
      await client.close();
    },
  };
}

/** An empty archive on an engine of its own, for tests that count or end what the whole engine does. */
export async function archiveOnOwnEngine(): Promise<TestArchive> {
  const { url, leave } = await joinOpenEngine();
  const database = await createDatabase(url);
  const client = openDatabase(url, database);
  return {
    client,
    url,
    database,
    async close() {
      await client.close();
      await leave();
    },
  };
}

async function createDatabase(url: string): Promise<string> {
  const database = await createTestDatabase(url);
  await migrate({ url, username: 'default', password: '', database });
  return database;
}

function openDatabase(url: string, database: string): Archive {
  return openArchive({ url, username: 'default', password: '', database });
}

type Table = { readonly name: string; readonly statement: string };

function readTables(client: Archive): Promise<readonly Table[]> {
  const query = `SELECT name, create_table_query AS statement
    FROM system.tables WHERE database = currentDatabase() ORDER BY name`;
  return selectRows<Table>(client, { query });
}

/** Empties the tables that have rows, which takes a tenth of the time of new ones. Returns false where a test has changed one. */
async function empty(client: Archive, before: readonly Table[]): Promise<boolean> {
  if (!isDeepStrictEqual(await readTables(client), before)) return false;
  const query = `SELECT name FROM system.tables
    WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND total_rows + total_bytes > 0`;
  for (const { name } of await selectRows<{ readonly name: string }>(client, { query })) {
    await client.command({ query: `TRUNCATE TABLE ${name}` });
    await client.command({ query: `SYSTEM START MERGES ${name}` });
  }
  return true;
}

/** A plausible report; what a test cares about is given, the rest made up. */
export function report(about: Partial<Report> & { readonly at: string }): Report {
  const { at, ...given } = about;
  const station = given.station ?? 'XAAA';
  const observedAt = Date.parse(at) / 1000;
  const raw =
    given.raw ??
    `${station} ${at.slice(8, 10)}${at.slice(11, 13)}${at.slice(14, 16)}Z 18004KT CAVOK 12/07 Q1013`;
  return {
    station,
    observedAt,
    type: 'METAR',
    source: 'iem',
    clean: true,
    decoder: 1,
    decoded: { temp_c: '12', cavok: true },
    ...given,
    raw,
    fingerprint: given.fingerprint ?? fingerprint(raw),
  };
}

export function put(about: Report, version = versionAbove(rankOfText(about.source))): Revision {
  return { kind: 'put', report: about, version, counts: 'no' };
}

export function retract(about: Report, version: number): Revision {
  return { kind: 'retract', archived: { ...about, version: 0, counts: 'no' }, version };
}

/** The marks of a loader that has opened no month yet. */
export const newMarks = (client: Archive) => new DayMarks(client, newRun());

/** Stores rows, and chooses what counts among those that are put. */
export async function insert(client: Archive, ...revisions: readonly Revision[]): Promise<void> {
  await insertRevisions(client, chosen(revisions), newMarks(client));
}

/** The same, with what counts among the reports that are put: the highest version of each, unless it is retracted. */
export function chosen(revisions: readonly Revision[]): readonly Revision[] {
  const current = new Map<string, Revision>();
  for (const revision of revisions) {
    const row = revision.kind === 'put' ? revision.report : revision.archived;
    const key = `${row.station} ${row.observedAt} ${row.type} ${row.fingerprint}`;
    if ((current.get(key)?.version ?? -1) < revision.version) current.set(key, revision);
  }
  const candidates = [...current.values()].flatMap((revision) => {
    if (revision.kind === 'retract') return [];
    const { report } = revision;
    const best = { ...report, nil: report.decoded.nil ?? false };
    const correction = correctionOf(report.decoded);
    return { best, revision, source: report.source, type: report.type, correction, counts: 'no' as Counts };
  });
  choose(candidates);
  const counts = new Map<Revision, Counts>(candidates.map(({ revision, counts }) => [revision, counts]));
  return revisions.map((revision) =>
    revision.kind === 'put' ? { ...revision, counts: counts.get(revision) ?? 'no' } : revision,
  );
}

/** One archive for all tests of the `describe` block that calls this, or one for each. Its properties can be read in tests and hooks. */
export function useArchive(of: 'all' | 'each' = 'all'): Omit<TestArchive, 'close'> {
  let archive: TestArchive | undefined;
  const [open, close] = of === 'all' ? [before, after] : [beforeEach, afterEach];
  open(async () => {
    archive = await emptyArchive();
  });
  close(() => archive?.close());
  const opened = () => archive ?? assert.fail('The archive is open in tests and hooks only');
  return {
    get client() {
      return opened().client;
    },
    get url() {
      return opened().url;
    },
    get database() {
      return opened().database;
    },
  };
}

type HeldReport = StoredReport & { readonly decoder: number; readonly clean: boolean };

/** All reports of a station that the archive holds, or of all stations. */
export function readAllReports(client: Archive, station = '*'): Promise<readonly HeldReport[]> {
  const query = `SELECT toUnixTimestamp(time) AS observedAt, * EXCEPT (time)
    FROM (
      SELECT observedAt AS time, station, type, leftPad(lower(hex(fingerprint)), 8, '0') AS fingerprint, raw, source,
        version, decoder, clean
      FROM observations FINAL
      WHERE NOT retracted AND {station:String} IN (station, '*')
    )`;
  return selectRows(client, { query, params: { station } });
}

/** Whether a statement asks for the clock of the server. */
export function isServerTime({ query }: Select): boolean {
  return query.startsWith(readStatement('server/server_time'));
}

/** What a server with this clock answers. */
export function serverTimeOf(clock: Date): Buffer {
  return Buffer.from(`{"time":${Math.floor(clock.getTime() / 1000)}}\n`);
}

/** As the adapters of these sources state them. */
const RANKS: Readonly<Record<string, DescriptionRanks>> = {
  iem: { rank: 2, elevationRank: 4 },
  awc: { rank: 3, elevationRank: 2 },
  ncei: { rank: 4, elevationRank: 3 },
};

/** Stores descriptions of any of these sources. */
export async function describeStations(
  client: Archive,
  descriptions: readonly StationDescription[],
): Promise<void> {
  for (const [source, ranks] of Object.entries(RANKS))
    await recordStationDescriptions(
      client,
      descriptions.filter((description) => description.source === source),
      ranks,
    );
}
