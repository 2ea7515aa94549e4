import type { Revision } from '../../clickhouse/observations/insert.ts';
import { DECODER_VERSION, decodeAll } from '../decode.ts';
import type { TypedReport } from './reconcile.ts';

/** Decodes reports on their way to ClickHouse, one by one as they are taken. */
export function* decodeRevisions(revisions: Iterable<Revision<TypedReport>>): Generator<Revision> {
  for (const revision of revisions) yield decodeRevision(revision);
}

export function decodeRevision(revision: Revision<TypedReport>): Revision {
  if (revision.kind === 'retract') return revision;
  const { station, observedAt, type, fingerprint, raw, source } = revision.report;
  const { fields, unexplained } = decodeAll(raw);
  // Name by name: this runs for every report, and a spread costs several times as much.
  const report = {
    station,
    observedAt,
    type,
    fingerprint,
    raw,
    source,
    clean: unexplained.length === 0,
    decoder: DECODER_VERSION,
    decoded: fields,
  };
  return { kind: 'put', report, version: revision.version, counts: revision.counts };
}
