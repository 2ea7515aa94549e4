import type { PartialDecoded } from '../../clickhouse/model/fields.ts';
import {
  type Counts,
  contentHash,
  type Report,
  type ReportType,
  type Source,
  versionAbove,
} from '../../clickhouse/model/report.ts';
import { isWithin, nominalHour, type TimeWindow } from '../../clickhouse/model/time-window.ts';
import type { Revision } from '../../clickhouse/observations/insert.ts';
import type { StoredReport } from '../../clickhouse/observations/stored-reports.ts';
import { decode } from '../decode.ts';
import { rankOfText } from '../sources/registry.ts';
import type { NormalizedReport } from './normalize.ts';
import { MinuteHistogram, sentTypeOf, type TypeInference } from './report-type.ts';

/** A report with its type, not yet decoded. */
export type TypedReport = Pick<Report, 'station' | 'observedAt' | 'type' | 'fingerprint' | 'raw' | 'source'>;

export type Reconciled = {
  /** Iterable once. Revisions of new reports are created one by one, because those of a slice would fill the memory. */
  readonly revisions: Iterable<Revision<TypedReport>>;
  readonly reports: number;
  /** How many of them the archive lacked, or had with a less faithful text. */
  readonly inserted: number;
  /** The distinct reports that the archive holds afterward, from any source. */
  readonly stored: readonly { readonly best: Pick<Report, 'observedAt'> }[];
};

/**
 * How a report gets a type that its source did not send. `final`: inferred from all reports of the station's calendar
 * year, stored and new, so the order in which slices are loaded makes no difference; reports outside these `years` keep
 * their stored type. `provisional`: inferred from
 * the reports that this run has seen, and a stored type is not changed; `reclassifyYear` makes it final.
 */
export type TypePolicy =
  | { readonly kind: 'final'; readonly years: TimeWindow }
  | { readonly kind: 'provisional'; readonly isMetar: TypeInference };

/**
 * Compares the reports of a source with the archive and says what to add, so that a second load adds nothing. Of two
 * texts of one report the more faithful source's wins, then the longer, then the first in byte order (D4). A report that
 * now counts for something else, because another one came before it, is written again too.
 *
 * @param stored every stored report of the nominal hours of `reports`; with `final` types of all nominal hours of their
 *   stations' calendar years, because a slice can change the types of reports that came with another slice
 */
export function reconcile(
  source: Source,
  reports: readonly NormalizedReport[],
  stored: readonly StoredReport[],
  typePolicy: TypePolicy,
): Reconciled {
  const identities = new ReportIdentities();
  for (const row of stored) {
    const identity = identities.add({ ...row, sentType: sentTypeOf(row) }, row.source);
    identity.stored = [...identity.stored, row];
  }
  let distinct = 0;
  for (const report of reports) {
    const identity = identities.add(report, source);
    if (!identity.isFromSource) distinct += 1;
    identity.isFromSource = true;
  }

  setTypes(identities.all, typePolicy);
  choose(identities.all);
  const added = identities.all.filter((identity) => identity.stored.length === 0);
  const amendments: Revision<TypedReport>[] = [];
  let inserted = added.length;
  for (const identity of identities.all) {
    if (identity.stored.length === 0) continue;
    const { revisions, isBetter } = amend(identity);
    amendments.push(...revisions);
    if (isBetter && identity.isFromSource) inserted += 1;
  }
  function* revisions(): Generator<Revision<TypedReport>> {
    yield* amendments;
    for (const identity of added) yield put(identity, undefined);
  }
  return { revisions: revisions(), reports: distinct, inserted, stored: identities.all };
}

type UntypedReport = Omit<TypedReport, 'type' | 'source'> & {
  readonly sentType: ReportType | undefined;
  readonly nil: boolean;
};

/** One report, with all of its texts seen so far. */
type ReportIdentity = {
  /** The text to keep, and its source. */
  best: UntypedReport;
  source: Source;
  /** Its type and what it counts for, once all texts are known. */
  type: ReportType;
  counts: Counts;
  stored: readonly StoredReport[];
  /** Whether the source of this load has the report. */
  isFromSource: boolean;
  /** Another report whose body has the same fingerprint. */
  readonly next: ReportIdentity | undefined;
};
const NONE: readonly StoredReport[] = [];

/** Reports by station, observation time and fingerprint (D4). */
class ReportIdentities {
  readonly all: ReportIdentity[] = [];
  /**
   * Lists linked by `next`. Two reports of a load seldom share a fingerprint, and building a key of all three would cost
   * more than the rest of the work.
   */
  private readonly byFingerprint = new Map<string, ReportIdentity>();

  /** Adds a text to the report that it belongs to; returns the report. */
  add(report: UntypedReport, source: Source): ReportIdentity {
    const newest = this.byFingerprint.get(report.fingerprint);
    let known = newest;
    while (known && !(known.best.observedAt === report.observedAt && known.best.station === report.station))
      known = known.next;
    if (known !== undefined) {
      if (isBetter(report, source, known)) {
        known.best = report;
        known.source = source;
      }
      return known;
    }
    const identity: ReportIdentity = {
      best: report,
      source,
      type: 'METAR',
      counts: 'no',
      stored: NONE,
      isFromSource: false,
      next: newest,
    };
    this.byFingerprint.set(report.fingerprint, identity);
    this.all.push(identity);
    return identity;
  }
}

function isBetter({ raw }: UntypedReport, source: Source, than: ReportIdentity): boolean {
  const rank = rankOfText(source, raw) - rankOfText(than.source, than.best.raw);
  if (rank !== 0) return rank > 0;
  if (raw.length !== than.best.raw.length) return raw.length > than.best.raw.length;
  if (raw !== than.best.raw) return raw < than.best.raw;
  // Two sources of one rank: the same one, in whatever order they are loaded.
  return source < than.source;
}

/**
 * What replaces a report's stored rows with its best text under its type; nothing if only that is stored.
 *
 * @returns `isBetter`: text or type were other ones
 */
function amend(identity: ReportIdentity) {
  const { best, source, stored, type, counts } = identity;
  const same = stored.find((row) => row.type === type && row.raw === best.raw && row.source === source);
  const underOtherType = stored.filter((row) => row.type !== type);
  const isBetter = same === undefined || underOtherType.length > 0;
  const newest = stored.reduce((a, b) => (a.version > b.version ? a : b));
  const version = versionOf(identity, newest);
  const revisions: readonly Revision<TypedReport>[] = [
    ...underOtherType.map((row) => ({ kind: 'retract', archived: row, version }) as const),
    ...(same?.counts === counts ? [] : [put(identity, newest)]),
  ];
  return { revisions, isBetter };
}

function put(identity: ReportIdentity, above: StoredReport | undefined): Revision<TypedReport> {
  const { best, source, type, counts } = identity;
  const { station, observedAt, fingerprint, raw } = best;
  const report = { station, observedAt, type, fingerprint, raw, source };
  return { kind: 'put', report, version: versionOf(identity, above), counts };
}

function versionOf({ best, source, type, counts }: ReportIdentity, above: StoredReport | undefined): number {
  const { raw } = best;
  return versionAbove(rankOfText(source, raw), above, contentHash({ type, source, raw, counts }));
}

function setTypes(identities: readonly ReportIdentity[], policy: TypePolicy): void {
  const minutes = new MinuteHistogram();
  if (policy.kind === 'final') for (const { best } of identities) minutes.add(best);
  const isMetar = policy.kind === 'final' ? minutes.inference() : policy.isMetar;
  for (const identity of identities) {
    const { sentType, station, observedAt } = identity.best;
    const [stored] = identity.stored;
    const isFinal = policy.kind === 'final' && isWithin(observedAt, policy.years);
    if (sentType !== undefined) identity.type = sentType;
    else if (!isFinal && stored !== undefined) identity.type = stored.type;
    else identity.type = isMetar(station, observedAt) ? 'METAR' : 'SPECI';
  }
}

/** A report of an archive as it will be, before it is known what it counts for. */
type Candidate = {
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
      if (precedes(candidate, chosen)) chosen = candidate;
      continue;
    }
    take();
    chosen = candidate;
  }
  take();

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
