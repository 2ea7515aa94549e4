import type { Archive } from '../archive.ts';
import type { Position } from '../model/report.ts';
import { isWithin, type StationRange } from '../model/time-window.ts';
import { namedStatement, POINT_READ, selectRow, selectRows } from '../statements/select.ts';

/** The parts of the id of a record (D3). */
export type ReportId = Omit<Position, 'type'>;

/** A report that an operator keeps out of series, statistics and days (D84). */
export type HiddenReport = Position & {
  readonly reason: string;
  /** When it was hidden, by the clock of the server: `2024-01-31T12:00:00Z`. */
  readonly at: string;
};

/** All hidden reports of the archive, which are few, in the order of stations and times. */
export function readHiddenReports(archive: Archive): Promise<readonly HiddenReport[]> {
  return selectRows(archive, namedStatement('maintenance/hidden_reports', {}, POINT_READ));
}

/** Records that reports are hidden, or shown again. What else counts in their hours changes only when it is chosen again. */
export async function recordHidden(
  archive: Archive,
  reports: readonly Position[],
  { isHidden, reason }: { readonly isHidden: boolean; readonly reason: string },
): Promise<void> {
  const select = namedStatement('maintenance/next_note');
  const { next: at } = await selectRow<{ next: number }>(archive, select);
  const rows = reports.map(({ station, observedAt, type, fingerprint }) => ({
    ...{ station, observedAt, type, reason, isHidden, at },
    fingerprint: Number.parseInt(fingerprint, 16),
  }));
  await archive.insert({ table: 'hidden_reports', rows });
}

export function isOneOf(ids: readonly ReportId[], report: ReportId): boolean {
  return ids.some(
    ({ station, observedAt, fingerprint }) =>
      observedAt === report.observedAt && station === report.station && fingerprint === report.fingerprint,
  );
}

export function hiddenIn(
  states: ReadonlyMap<string, { readonly hidden?: readonly HiddenReport[] }>,
  { stations, from, to }: StationRange,
): readonly HiddenReport[] {
  return stations.flatMap((station) => {
    const hidden = states.get(station)?.hidden ?? [];
    return hidden.filter(({ observedAt }) => isWithin(observedAt, { from, to }));
  });
}

/** The id of a record (D3): `KJFK-202401311251-0a1b2c3d`. */
export function idOf({ station, observedAt, fingerprint }: ReportId): string {
  const minute = new Date(observedAt * 1000).toISOString().replaceAll(/[-T:]/g, '').slice(0, 12);
  return `${station}-${minute}-${fingerprint}`;
}

/** @returns `undefined` if a text is no id */
export function parseId(id: string): ReportId | undefined {
  const [, station, year, month, day, hour, minute, fingerprint] =
    /^([A-Z][A-Z0-9]{3})-(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)-([0-9a-f]{8})$/.exec(id) ?? [];
  if (station === undefined || fingerprint === undefined) return undefined;
  const observedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}Z`) / 1000;
  return Number.isNaN(observedAt) ? undefined : { station, observedAt, fingerprint };
}
