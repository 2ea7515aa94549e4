import type { PartialDecoded } from '../../clickhouse/model/fields.ts';
import type { Counts, Report, ReportType, Source } from '../../clickhouse/model/report.ts';
import { nominalHour } from '../../clickhouse/model/time-window.ts';
import { decodeAll } from '../decode.ts';
import { rankOfText } from '../sources/registry.ts';

/** A report of the archive as it will be after a write. */
export type Candidate = {
  /** The text to keep. `nil`: it says that there is no report (D8). */
  readonly best: Pick<Report, 'station' | 'observedAt' | 'fingerprint' | 'raw'> & { readonly nil: boolean };
  readonly source: Source;
  readonly type: ReportType;
  /** An operator has hidden it (D84). */
  readonly isHidden?: boolean;
  /** The number of its correction; absent where its text has it. */
  readonly correction?: number;
  /** `choose` decides it. */
  counts: Counts;
};

/**
 * Sets what each report counts for (D45, D52), among all reports of these stations in whole nominal hours:
 *
 * - Of the reports of one station, minute and type, one counts: the latest correction (`COR`, then `CCA`, `CCB`, …), else the
 *   report from the more faithful source, else the longer text, else the lower fingerprint.
 * - Of these, the first METAR of a nominal hour counts for the hour.
 * - NIL reports and hidden reports do not count.
 */
export function choose(candidates: readonly Candidate[]): void {
  for (const candidate of candidates) candidate.counts = 'no';
  let [station, hour] = ['', 0];
  let before: Candidate | undefined;
  for (const candidate of candidates.filter(({ best, isHidden }) => !best.nil && !isHidden).sort(compare)) {
    if (before !== undefined && compare(before, candidate) === 0) {
      if (!precedes(candidate, before)) continue;
      [candidate.counts, before.counts] = [before.counts, 'no'];
    } else {
      const { best, type } = candidate;
      const isHour = type === 'METAR' && !(nominalHour(best.observedAt) === hour && best.station === station);
      if (isHour) [station, hour] = [best.station, nominalHour(best.observedAt)];
      candidate.counts = isHour ? 'hour' : 'minute';
    }
    before = candidate;
  }
}

/** Orders candidates by station, time and type; 0 if all three are equal. */
function compare({ best: one, type }: Candidate, { best: other, type: otherType }: Candidate): number {
  if (one.station !== other.station) return one.station < other.station ? -1 : 1;
  if (one.observedAt !== other.observedAt) return one.observedAt - other.observedAt;
  if (type === otherType) return 0;
  return type === 'METAR' ? -1 : 1;
}

/** Called for reports of one station, minute and type, which are rare. */
function precedes(a: Candidate, than: Candidate): boolean {
  const number = ({ best, correction }: Candidate) => correction ?? correctionOf(decodeAll(best.raw).fields);
  const order =
    number(a) - number(than) ||
    rankOfText(a.source, a.best.raw) - rankOfText(than.source, than.best.raw) ||
    Buffer.byteLength(a.best.raw) - Buffer.byteLength(than.best.raw);
  return order === 0 ? a.best.fingerprint < than.best.fingerprint : order > 0;
}

/** The number of a correction; 0 for a report that corrects nothing. */
export function correctionOf({ cor, cor_number: number = 0 }: PartialDecoded): number {
  return (cor ? 1 : 0) + number;
}
