import type { PartialDecoded } from '../../clickhouse/model/fields.ts';
import type { Counts, Report, ReportType, Source } from '../../clickhouse/model/report.ts';
import { nominalHour } from '../../clickhouse/model/time-window.ts';
import { decode } from '../decode.ts';
import { rankOfText } from '../sources/registry.ts';

/** A report of an archive as it will be, before it is known what it counts for. */
export type Candidate = {
  /** Its text. `nil`: it says that there is no report (D8). */
  readonly best: Pick<Report, 'station' | 'observedAt' | 'fingerprint' | 'raw'> & { readonly nil: boolean };
  readonly source: Source;
  type: ReportType;
  /** What `choose` decides. */
  counts: Counts;
};

/**
 * Decides what each report counts for (D45, D52), among all reports of these stations in whole nominal hours:
 *
 * - Of the reports of one station, minute and type one counts: a correction before what it corrects (`COR`, then `CCA`,
 *   `CCB`, …), else the more faithful source's, else the longer text, else the lower fingerprint.
 * - Of these, the first METAR of a nominal hour is the hour's.
 * - A NIL report counts for nothing.
 *
 * @param correction the number of a report's correction; asked of reports of one station, minute and type, which are rare
 */
export function choose<C extends Candidate>(
  candidates: Iterable<C>,
  correction: (candidate: C) => number = ({ best }) => correctionOf(decode(best.raw).fields),
): void {
  let chosen: C | undefined;
  let [station, hour] = ['', 0];
  const take = () => {
    if (chosen === undefined) return;
    const { best, type } = chosen;
    const hourOfBest = nominalHour(best.observedAt);
    const isHour = type === 'METAR' && !(best.station === station && hourOfBest === hour);
    if (isHour) [station, hour] = [best.station, hourOfBest];
    chosen.counts = isHour ? 'hour' : 'minute';
  };
  for (const candidate of [...candidates].sort(byStationAndTime)) {
    candidate.counts = 'no';
    if (candidate.best.nil) continue;
    if (chosen !== undefined && byStationAndTime(chosen, candidate) === 0) {
      if (isBetter(candidate, chosen)) chosen = candidate;
      continue;
    }
    take();
    chosen = candidate;
  }
  take();

  function isBetter(a: C, than: C): boolean {
    const order =
      correction(a) - correction(than) ||
      rankOfText(a.source, a.best.raw) - rankOfText(than.source, than.best.raw) ||
      Buffer.byteLength(a.best.raw) - Buffer.byteLength(than.best.raw);
    return order === 0 ? a.best.fingerprint < than.best.fingerprint : order > 0;
  }
}

function byStationAndTime(a: Candidate, b: Candidate): number {
  if (a.best.station !== b.best.station) return a.best.station < b.best.station ? -1 : 1;
  if (a.best.observedAt !== b.best.observedAt) return a.best.observedAt - b.best.observedAt;
  if (a.type === b.type) return 0;
  return a.type < b.type ? -1 : 1;
}

/** The number of a correction: 0 of a report that is none. */
export function correctionOf({ cor, cor_number: number = 0 }: PartialDecoded): number {
  return (cor ? 1 : 0) + number;
}
