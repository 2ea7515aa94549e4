import {
  contentHash,
  type Report,
  type ReportType,
  type Source,
  versionAbove,
} from '../../clickhouse/model/report.ts';
import { isWithin, type TimeWindow } from '../../clickhouse/model/time-window.ts';
import type { HiddenReport, ReportId } from '../../clickhouse/observations/hidden-reports.ts';
import type { Revision } from '../../clickhouse/observations/insert.ts';
import type { StoredReport } from '../../clickhouse/observations/stored-reports.ts';
import { DECODER_VERSION, decodeAll } from '../decode.ts';
import { rankOfText } from '../sources/registry.ts';
import { type Candidate, choose } from './choose.ts';
import { isNil, type NormalizedReport } from './normalize.ts';
import { MinuteHistogram, sentTypeOf, type TypeInference } from './report-type.ts';

/**
 * How a report gets a type that its source did not send. With a window of calendar years, types are final: inferred from all
 * reports of the station and year, stored and new, so that the order of loads makes no difference. Reports outside the years keep
 * their stored type. With an inference from the reports that this run has seen, types are provisional, and stored types are not
 * changed; `reclassifyYear` makes them final.
 */
export type TypePolicy = TimeWindow | TypeInference;

/**
 * Compares the reports of a source with the archive and says what to add, so that a second load adds nothing. Of two
 * texts of one report the more faithful source's wins, then the longer, then the first in byte order (D4). A report that
 * now counts for something else, because another one came before it, is written again too.
 *
 * @param stored every stored report of the nominal hours of `reports`; with final types of all nominal hours of their
 *   stations' calendar years, because a slice can change the types of reports that came with another slice
 */
export function reconcile(
  source: Source,
  reports: readonly NormalizedReport[],
  stored: readonly StoredReport[],
  typePolicy: TypePolicy,
  hidden: readonly HiddenReport[] = [],
) {
  const identities = identify(source, reports, stored, hidden);
  setTypes(identities, typePolicy);
  choose(identities);
  return {
    /** Decoded one by one as they are taken, because those of a slice would fill the memory. */
    revisions: revise(identities),
    reports: identities.filter(({ isFromSource }) => isFromSource).length,
    /** How many of them the archive lacked, or had with a less faithful text. */
    inserted: identities.filter(isInserted).length,
    lacking: identities.filter(({ stored: rows }) => rows.length === 0).map(({ best }) => best),
    /** The reports of the source that the archive has already, without NIL reports. */
    known: identities
      .filter(({ best, stored: rows, isFromSource }) => isFromSource && rows.length > 0 && !best.nil)
      .map(({ best }) => best),
    /** The distinct reports that the archive holds afterward, from any source. */
    stored: identities.map(({ best }) => best),
  };
}

/**
 * What to add so that stored reports have final types in these calendar years, and count for what they should.
 *
 * @param stored every stored report of the nominal hours of the years, or of a window if `years` is empty
 */
export function chooseAmong(
  stored: readonly StoredReport[],
  years: TimeWindow,
  hidden: readonly HiddenReport[],
): Iterable<Revision> {
  // No source sends a report here, so any source gives the same result.
  return reconcile('iem', [], stored, years, hidden).revisions;
}

type ReportIdentity = Candidate & {
  /** The text to keep, its source and its type. */
  best: NormalizedReport;
  source: Source;
  type: ReportType;
  stored: readonly StoredReport[];
  /** Whether the source of this load has the report. */
  isFromSource: boolean;
  isHidden: boolean;
  /** The report that was added before this one and has the same fingerprint. */
  readonly next: ReportIdentity | undefined;
};
const NONE: readonly StoredReport[] = [];

/** The reports of an archive and of a source, by station, observation time and fingerprint (D4). */
function identify(
  source: Source,
  reports: readonly NormalizedReport[],
  stored: readonly StoredReport[],
  hidden: readonly HiddenReport[],
): readonly ReportIdentity[] {
  const all: ReportIdentity[] = [];
  /**
   * The newest report; each has the one before. Two reports of a load seldom share a fingerprint, and building a key of all
   * three would cost more than the rest of the work.
   */
  const byFingerprint = new Map<string, ReportIdentity>();
  for (const row of stored) {
    // An older decoder may have read another text as NIL, and what is written again is decoded by the present one.
    const entry = add({ ...row, sentType: sentTypeOf(row), nil: isNil(row.raw) }, row.source);
    entry.stored = [...entry.stored, row];
  }
  for (const report of reports) add(report, source).isFromSource = true;
  for (const report of hidden) {
    const entry = sameReport(byFingerprint.get(report.fingerprint), report);
    if (entry !== undefined) entry.isHidden = true;
  }
  return all;

  function add(best: NormalizedReport, from: Source): ReportIdentity {
    const next = byFingerprint.get(best.fingerprint);
    const same = sameReport(next, best);
    if (same === undefined) {
      const entry: ReportIdentity = {
        best,
        source: from,
        // `setTypes` and `choose` decide these two.
        type: 'METAR',
        counts: 'no',
        stored: NONE,
        isFromSource: false,
        isHidden: false,
        next,
      };
      byFingerprint.set(best.fingerprint, entry);
      all.push(entry);
      return entry;
    }
    if (isBetter(best, from, same)) [same.best, same.source] = [best, from];
    return same;
  }
}

function sameReport(newest: ReportIdentity | undefined, { observedAt, station }: ReportId) {
  let entry = newest;
  while (entry && !(entry.best.observedAt === observedAt && entry.best.station === station))
    entry = entry.next;
  return entry;
}

function isBetter({ raw }: NormalizedReport, source: Source, than: ReportIdentity): boolean {
  const rank = rankOfText(source, raw) - rankOfText(than.source, than.best.raw);
  if (rank !== 0) return rank > 0;
  if (raw.length !== than.best.raw.length) return raw.length > than.best.raw.length;
  if (raw !== than.best.raw) return raw < than.best.raw;
  // For two sources of the same rank, the result must not depend on the order of their loads.
  return source < than.source;
}

function setTypes(identities: readonly ReportIdentity[], policy: TypePolicy): void {
  const isProvisional = typeof policy === 'function';
  const minutes = new MinuteHistogram();
  if (!isProvisional) for (const { best } of identities) minutes.add(best);
  const isMetar = isProvisional ? policy : minutes.inference();
  for (const identity of identities) {
    const { sentType, station, observedAt } = identity.best;
    const isFinal = !isProvisional && isWithin(observedAt, policy);
    const storedType = isFinal ? undefined : identity.stored[0]?.type;
    identity.type = sentType ?? storedType ?? (isMetar(station, observedAt) ? 'METAR' : 'SPECI');
  }
}

/** Whether the report counts as inserted: the archive lacked it, or had it with a less faithful text or under another type. */
function isInserted(identity: ReportIdentity): boolean {
  const { stored, isFromSource, type } = identity;
  if (stored.length === 0) return true;
  return isFromSource && (sameRow(identity) === undefined || stored.some((row) => row.type !== type));
}

/** The stored row with the text and the type to keep. */
function sameRow({ best, source, stored, type }: ReportIdentity): StoredReport | undefined {
  return stored.find((row) => row.type === type && row.raw === best.raw && row.source === source);
}

/**
 * The rows that give each report its best text, its type and what it counts for. There are none if exactly that is stored.
 */
function* revise(identities: readonly ReportIdentity[]): Generator<Revision> {
  for (const identity of identities) {
    const retracted = identity.stored.filter((row) => row.type !== identity.type);
    const isSame = sameRow(identity)?.counts === identity.counts;
    if (isSame && retracted.length === 0) continue;
    const put = putOf(identity);
    for (const archived of retracted) yield { kind: 'retract', archived, version: put.version };
    if (!isSame) yield put;
  }
}

function putOf({ best, source, stored, type, counts }: ReportIdentity) {
  const { station, observedAt, fingerprint, raw } = best;
  const newest = stored.length === 0 ? undefined : stored.reduce((a, b) => (a.version > b.version ? a : b));
  const version = versionAbove(rankOfText(source, raw), newest, contentHash({ type, source, raw, counts }));
  const { fields: decoded, unexplained } = decodeAll(raw);
  const clean = unexplained.length === 0;
  const decoder = DECODER_VERSION;
  // Name by name: this runs for every report, and a spread costs several times as much.
  const report: Report = { station, observedAt, type, fingerprint, raw, source, clean, decoder, decoded };
  return { kind: 'put', report, version, counts } as const;
}
