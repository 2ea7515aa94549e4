import type { Archive } from '../../../clickhouse/archive.ts';
import { openArchive } from '../../../clickhouse/client.ts';
import { migrate } from '../../../clickhouse/migrate.ts';
import { fingerprint } from '../../../clickhouse/model/fingerprint.ts';
import type { Report } from '../../../clickhouse/model/report.ts';
import { versionAbove } from '../../../clickhouse/model/row-version.ts';
import { insertRevisions, type Revision } from '../../../clickhouse/observations/insert.ts';
import { rankOf } from '../../../loader/sources/registry.ts';
import { createTestDatabase, startTestEngine } from '../engine/engine.ts';
import { sharedEngine } from '../engine/shared-engine.ts';

export const NO_LIMIT = new AbortController().signal;

export type TestArchive = {
  readonly client: Archive;
  readonly url: string;
  readonly database: string;
  close(): Promise<void>;
};

/** An archive with its schema and nothing in it: a database of its own in the engine that all tests share. */
export async function emptyArchive(): Promise<TestArchive> {
  return createArchive(await sharedEngine());
}

/** An empty archive on an engine of its own, for tests that count or end what the whole engine does. */
export async function archiveOnOwnEngine(): Promise<TestArchive> {
  const engine = await startTestEngine();
  const archive = await createArchive(engine.url);
  return {
    ...archive,
    async close() {
      await archive.close();
      await engine.stop();
    },
  };
}

async function createArchive(url: string): Promise<TestArchive> {
  const database = await createTestDatabase(url);
  const settings = { url, username: 'default', password: '', database };
  await migrate(settings);
  const client = openArchive(settings);
  return {
    client,
    url,
    database,
    async close() {
      await client.command({ query: `DROP DATABASE ${database}` });
      await client.close();
    },
  };
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
    outcome: 'clean',
    decoder: 1,
    decoded: { temp_c: '12', cavok: true },
    ...given,
    raw,
    fingerprint: given.fingerprint ?? fingerprint(raw),
  };
}

export function put(about: Report, version = versionAbove(rankOf(about.source))): Revision {
  return { kind: 'put', report: about, version };
}

export function retract(about: Report, version: number): Revision {
  return { kind: 'retract', archived: { ...about, clean: true, version: 0 }, version };
}

export async function insert(client: Archive, ...revisions: readonly Revision[]): Promise<void> {
  await insertRevisions(client, revisions, NO_LIMIT);
}
