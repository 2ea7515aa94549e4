import type { ClickHouseClient } from '@clickhouse/client';
import { openArchive } from '../../../clickhouse/client.ts';
import { migrate } from '../../../clickhouse/migrate.ts';
import { fingerprint } from '../../../clickhouse/model/fingerprint.ts';
import type { Report } from '../../../clickhouse/model/report.ts';
import { versionAbove } from '../../../clickhouse/model/row-version.ts';
import { insertRevisions, type Revision } from '../../../clickhouse/observations/insert.ts';
import { createTestDatabase, startTestEngine } from '../engine/engine.ts';

export const NO_LIMIT = new AbortController().signal;

/** An archive with its schema and nothing in it, on an engine of its own. */
export async function emptyArchive(): Promise<{
  client: ClickHouseClient;
  url: string;
  database: string;
  close(): Promise<void>;
}> {
  const engine = await startTestEngine();
  const database = await createTestDatabase(engine.url);
  const settings = { url: engine.url, username: 'default', password: '', database };
  await migrate(settings);
  const client = openArchive(settings);
  return {
    client,
    url: engine.url,
    database,
    async close() {
      await client.close();
      await engine.stop();
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

export function put(about: Report, version = versionAbove(about.source)): Revision {
  return { kind: 'put', report: about, version };
}

export function retract(about: Report, version: number): Revision {
  return { kind: 'retract', archived: { ...about, clean: true, version: 0 }, version };
}

export async function insert(client: ClickHouseClient, ...revisions: readonly Revision[]): Promise<void> {
  await insertRevisions(client, revisions, NO_LIMIT);
}
