import type { Archived } from '../clickhouse/archived.ts';
import type { Report, ReportType, Source } from '../clickhouse/report.ts';
import { rankOf, versionAbove } from '../clickhouse/version.ts';
import type { Fetched } from './split.ts';
import { emptyHistogram, type MinuteHistogram, minuteOf, routineMinutes, sentTypeOf } from './type.ts';

/** A row to add to the archive, not yet decoded. */
export type Change =
  | { readonly kind: 'put'; readonly held: Held; readonly version: number }
  | { readonly kind: 'retract'; readonly archived: Archived; readonly version: number };

/** A report with its type. */
export type Held = Pick<Report, 'station' | 'observedAt' | 'type' | 'fingerprint' | 'raw' | 'source'>;

type Text = Omit<Held, 'type'> & { readonly sentType: ReportType | undefined };
type Identity = { best: Text; readonly archived: Archived[] };

export type Reconciled = {
  readonly changes: readonly Change[];
  /** Distinct reports that the source sent. */
  readonly reports: number;
  /** How many of them the archive did not hold, or held worse. */
  readonly inserted: number;
};

/**
 * Holds what a source sent against what the archive holds and says what to add, so that a second load adds nothing.
 * Of two texts of one report the more faithful source's stays, then the longer, then the first in byte order (D4).
 *
 * @param archived everything the archive holds of the calendar years that `fetched` touches: types are inferred over
 *   a station's year, so a slice may also change the type of reports that were loaded with another slice, and
 *   a year loaded in pieces ends as the same archive as a year loaded at once
 */
export function reconcile(
  source: Source,
  fetched: readonly Fetched[],
  archived: readonly Archived[],
): Reconciled {
  const identities = new Map<string, Identity>();
  for (const row of archived) meet(identities, { ...row, sentType: sentTypeOf(row) }, row);
  const sent = new Set<string>();
  for (const report of fetched) sent.add(meet(identities, { ...report, source }));

  const routine = routineOf(identities.values());
  const changes: Change[] = [];
  let inserted = 0;
  for (const [key, identity] of identities) {
    const added = changesOf(identity, routine);
    changes.push(...added);
    if (added.length > 0 && sent.has(key)) inserted += 1;
  }
  return { changes, reports: sent.size, inserted };
}

function meet(identities: Map<string, Identity>, text: Text, archived?: Archived): string {
  const key = `${text.station} ${text.observedAt} ${text.fingerprint}`;
  const known = identities.get(key);
  if (known === undefined)
    identities.set(key, { best: text, archived: archived === undefined ? [] : [archived] });
  else {
    if (isBetter(text, known.best)) known.best = text;
    if (archived !== undefined) known.archived.push(archived);
  }
  return key;
}

function isBetter(text: Text, than: Text): boolean {
  const faith = rankOf(text.source) - rankOf(than.source);
  if (faith !== 0) return faith > 0;
  if (text.raw.length !== than.raw.length) return text.raw.length > than.raw.length;
  return text.raw < than.raw;
}

function changesOf({ best, archived }: Identity, routine: Routine): readonly Change[] {
  const { sentType, station, observedAt, fingerprint, raw, source } = best;
  const type = sentType ?? (routine(station, observedAt) ? 'METAR' : 'SPECI');
  const stands = archived.some((row) => row.type === type && row.raw === raw && row.source === source);
  const elsewhere = archived.filter((row) => row.type !== type);
  if (stands && elsewhere.length === 0) return [];
  const newest = archived.reduce<Archived | undefined>(
    (a, b) => (a && a.version > b.version ? a : b),
    undefined,
  );
  const version = versionAbove(source, newest);
  return [
    ...elsewhere.map((row): Change => ({ kind: 'retract', archived: row, version })),
    ...(stands
      ? []
      : [{ kind: 'put', held: { station, observedAt, type, fingerprint, raw, source }, version } as const]),
  ];
}

type Routine = (station: string, observedAt: number) => boolean;

/** A report known to be a SPECI says nothing about the minutes of a station's METAR. */
function routineOf(identities: Iterable<Identity>): Routine {
  const histograms = new Map<string, MinuteHistogram>();
  for (const { best } of identities) {
    if (best.sentType === 'SPECI') continue;
    const key = stationYear(best.station, best.observedAt);
    const histogram = histograms.get(key) ?? emptyHistogram();
    histograms.set(key, histogram);
    const minute = minuteOf(best.observedAt);
    histogram[minute] = (histogram[minute] ?? 0) + 1;
  }
  const routine = new Map([...histograms].map(([key, histogram]) => [key, routineMinutes(histogram)]));
  return (station, observedAt) =>
    routine.get(stationYear(station, observedAt))?.has(minuteOf(observedAt)) === true;
}

function stationYear(station: string, observedAt: number): string {
  return `${station} ${new Date(observedAt * 1000).getUTCFullYear()}`;
}
