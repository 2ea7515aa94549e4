import type { Archive } from '../../../clickhouse/archive.ts';
import { type Coverage, readCoverage } from '../../../clickhouse/coverage/coverage.ts';
import { readCoverageStates } from '../../../clickhouse/coverage/state.ts';
import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import type { Position } from '../../../clickhouse/model/report.ts';
import type { StationRange } from '../../../clickhouse/model/time-window.ts';
import { type FoundRecords, findRecords } from '../../../clickhouse/observations/page.ts';
import type { Records } from '../../../clickhouse/observations/records.ts';
import type { PageRequest } from '../../../clickhouse/observations/selection.ts';

/** An element of `data` in a page of observations. */
export type ObservationRecord = {
  readonly id: string;
  readonly station: string;
  readonly observedAt: string;
  readonly type: string;
  readonly raw?: string;
  readonly decoded?: object;
  readonly parseStatus: string;
};

export function parseRecords<Record>({ bytes }: Pick<Records, 'bytes'>): readonly Record[] {
  return JSON.parse(`[${bytes}]`) as Record[];
}

/** The id of a record (D3): readable, URL-safe, and the same on every machine and from every source. */
export function recordId({ station, observedAt, fingerprint }: Omit<Position, 'type'>): string {
  const minute = new Date(observedAt * 1000).toISOString().replace(/[-T:]/g, '').slice(0, 12);
  return `${station}-${minute}-${fingerprint}`;
}

/** Records at these positions, which are in order. */
export function recordsAt(positions: readonly Position[]): Records {
  const texts = positions.map((position) => {
    const observedAt = `${new Date(position.observedAt * 1000).toISOString().slice(0, 19)}Z`;
    const { station, type, fingerprint } = position;
    return JSON.stringify({
      id: recordId(position),
      station,
      observedAt,
      type,
      raw: 'é'.repeat(Number(fingerprint.length)),
    });
  });
  const ends: number[] = [];
  for (const text of texts) ends.push((ends.at(-1) ?? -1) + 1 + Buffer.byteLength(text));
  // Of exactly this length and not a slice of Node's pool: a page counts the memory that it keeps alive.
  const bytes = Buffer.alloc(Buffer.byteLength(texts.join(',')), texts.join(','));
  return { bytes, ends: new Uint32Array(ends), count: texts.length };
}

/** A page, for whose windows the coverage is read. */
export async function readOnePage(archive: Archive, request: PageRequest): Promise<FoundRecords> {
  const states = await readCoverageStates(archive, request.stations);
  return findRecords(archive, request, states);
}

/** The coverage as the archive has it now. */
export async function readCoverageNow(archive: Archive, request: StationRange): Promise<Coverage> {
  const states = await readCoverageStates(archive, [...request.stations, ALL_STATIONS]);
  return readCoverage(archive, request, states);
}
