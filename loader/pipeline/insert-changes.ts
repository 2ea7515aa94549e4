import type { ClickHouseClient } from '@clickhouse/client';
import { insertRevisions, type Revision } from '../../clickhouse/observations/insert.ts';
import { DECODER_VERSION, decodeAll } from '../decode.ts';
import type { Change } from './reconcile.ts';

/** Decodes what goes into the archive, and nothing else, on its way there. */
export async function insertChanges(
  client: ClickHouseClient,
  changes: AsyncIterable<Iterable<Change>> | Iterable<Iterable<Change>>,
  signal: AbortSignal,
): Promise<void> {
  await insertRevisions(client, revisions(changes), signal);
}

async function* revisions(
  changes: AsyncIterable<Iterable<Change>> | Iterable<Iterable<Change>>,
): AsyncGenerator<Iterable<Revision>> {
  for await (const group of changes) yield revised(group);
}

function* revised(changes: Iterable<Change>): Generator<Revision> {
  for (const change of changes) yield revise(change);
}

export function revise(change: Change): Revision {
  if (change.kind === 'retract') return change;
  const { held, version } = change;
  const { fields, unexplained } = decodeAll(held.raw);
  const outcome = unexplained.length === 0 ? 'clean' : 'unclean';
  // Name by name: a spread costs several times as much, and this is done for every report.
  const { station, observedAt, type, fingerprint, raw, source } = held;
  const report = {
    station,
    observedAt,
    type,
    fingerprint,
    raw,
    source,
    outcome,
    decoder: DECODER_VERSION,
    decoded: fields,
  } as const;
  return { kind: 'put', report, version };
}
