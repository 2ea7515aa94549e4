import type { Report, ReportType, Source } from '../../clickhouse/model/report.ts';
import { rankOf, versionAbove } from '../../clickhouse/model/row-version.ts';
import type { StoredReport } from '../../clickhouse/observations/stored-reports.ts';
import type { NormalizedReport } from './normalize.ts';
import { MinuteHistogram, sentTypeOf, type TypeInference } from './report-type.ts';

/** A row to add to the archive, not yet decoded. */
export type Change =
  | { readonly kind: 'put'; readonly held: Held; readonly version: number }
  | { readonly kind: 'retract'; readonly archived: StoredReport; readonly version: number };

/** A report with its type. */
export type Held = Pick<Report, 'station' | 'observedAt' | 'type' | 'fingerprint' | 'raw' | 'source'>;

type Text = Omit<Held, 'type' | 'source'> & { readonly sentType: ReportType | undefined };
type Identity = {
  best: Text;
  /** Whose text it is. */
  source: Source;
  archived: readonly StoredReport[];
  /** Whether the source sent it. */
  sent: boolean;
  /** Another report whose body has the same fingerprint. */
  readonly namesake: Identity | undefined;
};
const NONE: readonly StoredReport[] = [];

export type Reconciled = {
  /** To be taken once: most are made when their turn comes, for those of a slice would fill the memory. */
  readonly changes: Iterable<Change>;
  /** Distinct reports that the source sent. */
  readonly reports: number;
  /** How many of them the archive did not hold, or held worse. */
  readonly inserted: number;
};

/**
 * How reports get a type that their source did not send. `settled`: over all reports of the station's year, which are
 * all in hand, so the order in which slices come makes no difference. `provisional`: over the minutes seen so far, a
 * type once given stands; to be settled when the year has been loaded.
 */
export type Typing =
  | { readonly kind: 'settled' }
  | { readonly kind: 'provisional'; readonly isMetar: TypeInference };

/**
 * Holds what a source sent against what the archive holds and says what to add, so that a second load adds nothing.
 * Of two texts of one report the more faithful source's stays, then the longer, then the first in byte order (D4).
 *
 * @param archived what the archive holds where `fetched` may touch it; to settle types, everything it holds of their
 *   stations' calendar years, of which a slice may then change the types of reports that came with another slice
 */
export function reconcile(
  source: Source,
  fetched: readonly NormalizedReport[],
  archived: readonly StoredReport[],
  typing: Typing,
): Reconciled {
  const identities = new Identities();
  for (const row of archived) {
    const identity = identities.meet({ ...row, sentType: sentTypeOf(row) }, row.source);
    identity.archived = [...identity.archived, row];
  }
  let reports = 0;
  for (const report of fetched) {
    const identity = identities.meet(report, source);
    if (!identity.sent) reports += 1;
    identity.sent = true;
  }

  const typeOf = typer(identities.all, typing);
  const fresh = identities.all.filter(({ archived }) => archived.length === 0);
  const amendments: Change[] = [];
  let inserted = fresh.length;
  for (const identity of identities.all) {
    if (identity.archived.length === 0) continue;
    const added = amendmentsOf(identity, typeOf(identity));
    amendments.push(...added);
    if (added.length > 0 && identity.sent) inserted += 1;
  }
  return { changes: changesOf(amendments, fresh, typeOf), reports, inserted };
}

function* changesOf(
  amendments: readonly Change[],
  fresh: readonly Identity[],
  typeOf: (identity: Identity) => ReportType,
): Generator<Change> {
  yield* amendments;
  for (const identity of fresh) yield put(identity, typeOf(identity), undefined);
}

/** Reports by what makes them the same one (D4): station, time of observation, fingerprint. */
class Identities {
  readonly all: Identity[] = [];
  /** Two reports in hand hardly ever share one; to make a key of all three would cost more than all the rest. */
  private readonly byFingerprint = new Map<string, Identity>();

  /** The report that a text belongs to, which has its best text afterwards. */
  meet(text: Text, source: Source): Identity {
    const newest = this.byFingerprint.get(text.fingerprint);
    let known = newest;
    while (known && !(known.best.observedAt === text.observedAt && known.best.station === text.station))
      known = known.namesake;
    if (known !== undefined) {
      if (isBetter(text, source, known)) {
        known.best = text;
        known.source = source;
      }
      return known;
    }
    const identity = { best: text, source, archived: NONE, sent: false, namesake: newest };
    this.byFingerprint.set(text.fingerprint, identity);
    this.all.push(identity);
    return identity;
  }
}

function isBetter({ raw }: Text, source: Source, than: Identity): boolean {
  const faith = rankOf(source) - rankOf(than.source);
  if (faith !== 0) return faith > 0;
  if (raw.length !== than.best.raw.length) return raw.length > than.best.raw.length;
  return raw < than.best.raw;
}

/** What makes of rows that the archive holds the one that it ought to hold. */
function amendmentsOf(identity: Identity, type: ReportType): readonly Change[] {
  const { best, source, archived } = identity;
  const stands = archived.some((row) => row.type === type && row.raw === best.raw && row.source === source);
  const elsewhere = archived.filter((row) => row.type !== type);
  if (stands && elsewhere.length === 0) return [];
  const newest = archived.reduce<StoredReport | undefined>(
    (a, b) => (a && a.version > b.version ? a : b),
    undefined,
  );
  const version = versionAbove(source, newest);
  return [
    ...elsewhere.map((row): Change => ({ kind: 'retract', archived: row, version })),
    ...(stands ? [] : [put(identity, type, newest)]),
  ];
}

function put({ best, source }: Identity, type: ReportType, above: StoredReport | undefined): Change {
  const { station, observedAt, fingerprint, raw } = best;
  const held = { station, observedAt, type, fingerprint, raw, source };
  return { kind: 'put', held, version: versionAbove(source, above) };
}

function typer(identities: Iterable<Identity>, typing: Typing): (identity: Identity) => ReportType {
  const isMetar = typing.kind === 'settled' ? judgeOf(identities) : typing.isMetar;
  return ({ best: { sentType, station, observedAt }, archived }) => {
    if (sentType !== undefined) return sentType;
    if (typing.kind === 'provisional' && archived[0] !== undefined) return archived[0].type;
    return isMetar(station, observedAt) ? 'METAR' : 'SPECI';
  };
}

function judgeOf(identities: Iterable<Identity>): TypeInference {
  const minutes = new MinuteHistogram();
  for (const { best } of identities) minutes.add(best);
  return minutes.judge();
}
