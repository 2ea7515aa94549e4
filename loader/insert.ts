import type { ClickHouseClient } from '@clickhouse/client';
import { insertRevisions, type Revision } from '../clickhouse/insert.ts';
import { DECODER_VERSION, decode } from './decode.ts';
import type { Change } from './reconcile.ts';

/** A station-year is one insert and so lands whole; a day of the world goes in pieces that fit into memory. */
const ROWS_AT_ONCE = 30_000;

/** Decodes what goes into the archive, and nothing else, and puts it there. */
export async function insertChanges(
  client: ClickHouseClient,
  changes: Iterable<Change> | AsyncIterable<Change>,
  signal: AbortSignal,
): Promise<void> {
  let revisions: Revision[] = [];
  for await (const change of changes) {
    revisions.push(revise(change));
    if (revisions.length < ROWS_AT_ONCE) continue;
    await insertRevisions(client, revisions, signal);
    revisions = [];
  }
  await insertRevisions(client, revisions, signal);
}

function revise(change: Change): Revision {
  if (change.kind === 'retract') return change;
  const { fields, unexplained } = decode(change.held.raw);
  const outcome = unexplained.length === 0 ? 'clean' : 'unclean';
  const report = { ...change.held, outcome, decoder: DECODER_VERSION, decoded: fields } as const;
  return { kind: 'put', report, version: change.version };
}
