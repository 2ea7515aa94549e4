import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Archived } from './archived.ts';
import type { Report } from './report.ts';

/**
 * One row to add. `put` holds a report, new or better than the archive's; `retract` says that a report is no longer
 * held under its old type, and always comes with a `put` under the new one, at the same version.
 */
export type Revision =
  | { readonly kind: 'put'; readonly report: Report; readonly version: number }
  | { readonly kind: 'retract'; readonly archived: Archived; readonly version: number };

/** At once, or group by group as they come to hand. */
export type Revisions = Iterable<Revision> | AsyncIterable<Iterable<Revision>>;

/** Rows go out in pieces of about this many characters: one by one, the socket costs more than the rows. */
const PIECE = 65_536;

/**
 * Adds rows in one insert: a station-year lies in one partition and below one block, so it lands whole or not at all.
 * Inserting the same revisions again changes nothing that a reader can see.
 *
 * The rows are written out here and sent as they are made, so that a slice of any size needs no memory; the client's
 * own `insert` would turn each row into an object, a text and a chunk of its own, at three times the cost.
 */
export async function insertRevisions(
  client: ClickHouseClient,
  revisions: Revisions,
  signal: AbortSignal,
): Promise<void> {
  const text = pieces(revisions);
  const first = await text.next();
  if (first.done) return;
  const { stream } = await client.exec({
    query: 'INSERT INTO observations FORMAT JSONEachRow',
    values: Readable.from(startingWith(first.value, text), { objectMode: false }),
    abort_signal: signal,
  });
  for await (const _ of stream);
}

async function* startingWith(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

async function* pieces(revisions: Revisions): AsyncGenerator<string> {
  let piece = '';
  for await (const group of Symbol.asyncIterator in revisions ? revisions : [revisions])
    for (const revision of group) {
      piece += revision.kind === 'put' ? putRow(revision) : retractRow(revision);
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
  if (piece !== '') yield piece;
}

function putRow({ report, version }: Extract<Revision, { kind: 'put' }>): string {
  const { raw, outcome, decoder, decoded } = report;
  return (
    `{${keyOf(report)},"version":${version},"retracted":false,"raw":${JSON.stringify(raw)},` +
    `"clean":${outcome === 'clean'},"decoder":${decoder},"decoded":${JSON.stringify(decoded)}}\n`
  );
}

function retractRow({ archived, version }: Extract<Revision, { kind: 'retract' }>): string {
  return `{${keyOf(archived)},"version":${version},"retracted":true}\n`;
}

function keyOf({ observedAt, station, type, fingerprint, source }: Report | Archived): string {
  const body = Number.parseInt(fingerprint, 16);
  return `"observedAt":${observedAt},"station":${JSON.stringify(station)},"type":"${type}","fingerprint":${body},"source":"${source}"`;
}
