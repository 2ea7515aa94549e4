import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../../../clickhouse/client.ts';
import type { Day } from '../../../clickhouse/model/day.ts';
import { insertRevisions } from '../../../clickhouse/observations/insert.ts';
import { normalize } from '../../../loader/pipeline/normalize.ts';
import { reconcile } from '../../../loader/pipeline/reconcile.ts';
import { decodeRevision } from '../../../loader/pipeline/write.ts';
import { parseAsos } from '../../../loader/sources/iem/asos.ts';
import type { Slice } from '../../../loader/sources/source.ts';
import { NO_LIMIT } from '../../support/archive/archive.ts';
import { openBenchEngine } from '../embedded-engine.ts';
import type { Figure } from '../figures.ts';
import { sum } from '../statistics.ts';
import { stationYear } from './iem-bodies.ts';

const ROUNDS = 10;
const CHUNK_BYTES = 65_536;
const FINAL = { kind: 'final' } as const;

/** What each stage takes for the reports of one station-year, by its fastest round. */
export async function measureStages(station: string, year: number): Promise<readonly Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-load-'));
  const engine = await openBenchEngine(dataDir);
  const client = openArchive(engine.loader);
  const slice: Slice = {
    source: 'iem',
    station,
    firstDay: `${year}-01-01` as Day,
    endDay: `${year + 1}-01-01` as Day,
  };
  const body = stationYear(station, year);
  async function* chunks() {
    for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES);
  }
  const fastest = new Map<string, number>();
  const timed = async <T>(stage: string, work: () => T | Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await work();
    const ms = performance.now() - started;
    fastest.set(stage, Math.min(fastest.get(stage) ?? Number.POSITIVE_INFINITY, ms));
    return result;
  };
  let reports = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const parsed = await timed('parse', () => parseAsos(chunks(), slice, Number.POSITIVE_INFINITY));
    const normalized = await timed('normalize', () => normalize(parsed));
    const reconciled = await timed('reconcile', () => reconcile('iem', normalized.reports, [], FINAL));
    const revisions = await timed('decode', () => Array.from(reconciled.revisions, decodeRevision));
    await timed('insert', () => insertRevisions(client, revisions, NO_LIMIT));
    reports = revisions.length;
  }
  await client.close();
  await engine.close();
  await rm(dataDir, { recursive: true, force: true });
  const total = sum(fastest.values());
  return [...fastest].map(([what, ms]) => ({
    what,
    measured: (1000 * ms) / reports,
    unit: 'µs',
    detail: `${Math.round((100 * ms) / total)} %`,
  }));
}
