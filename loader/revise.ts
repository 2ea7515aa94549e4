import type { Revision } from '../clickhouse/insert.ts';
import { DECODER_VERSION, decode } from './decode.ts';
import type { Change } from './reconcile.ts';

/** Decodes what goes into the archive, and nothing else. */
export function revise(change: Change): Revision {
  if (change.kind === 'retract') return change;
  const { fields, unexplained } = decode(change.held.raw);
  const outcome = unexplained.length === 0 ? 'clean' : 'unclean';
  const report = { ...change.held, outcome, decoder: DECODER_VERSION, decoded: fields } as const;
  return { kind: 'put', report, version: change.version };
}
