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
  readonly type: ReportType;
  /** An operator has hidden it (D84). */
  readonly isHidden?: boolean;
};

/**
 * Decides what each report counts for (D45, D52), among all reports of these stations in whole nominal hours:
 *
 * - Of the reports of one station, minute and type one counts: a correction before what it corrects (`COR`, then `CCA`,
 *   `CCB`, …), else the more faithful source's, else the longer text, else the lower fingerprint.
 * - Of these, the first METAR of a nominal hour is the hour's.
 * - A NIL report and a hidden one count for nothing.
 *
 * @param correction the number of a report's correction; asked of reports of one station, minute and type, which are rare
 * @returns what each counts for, in their order
 */
export function choose<C extends Candidate>(
  candidates: readonly C[],
  correction: (candidate: C) => number = ({ best }) => correctionOf(decode(best.raw).fields),
): readonly Counts[] {
  const counts = new Array<Counts>(candidates.length).fill('no');
  let [station, hour] = ['', 0];
  for (const n of bestOfMinutes(candidates, correction)) {
    const { best, type } = candidates[n] as C;
    const hourOfBest = nominalHour(best.observedAt);
    const isHour = type === 'METAR' && !(best.station === station && hourOfBest === hour);
    if (isHour) [station, hour] = [best.station, hourOfBest];
    counts[n] = isHour ? 'hour' : 'minute';
  }
  return counts;
}

/** The numbers of the reports that count, by station, time and type. */
function bestOfMinutes<C extends Candidate>(
  candidates: readonly C[],
  correction: (candidate: C) => number,
): readonly number[] {
  const at = (n: number) => candidates[n] as C;
  const best: number[] = [];
  for (const n of [...candidates.keys()].sort((a, b) => byStationAndTime(at(a), at(b)))) {
    if (at(n).best.nil || at(n).isHidden) continue;
    const last = best.at(-1);
    if (last === undefined || byStationAndTime(at(last), at(n)) !== 0) best.push(n);
    else if (precedes(at(n), at(last))) best[best.length - 1] = n;
  }
  return best;

  function precedes(a: C, than: C): boolean {
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
