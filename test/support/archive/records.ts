import type { Position } from '../../../clickhouse/model/report.ts';
import type { Records } from '../../../clickhouse/observations/page/records.ts';

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

/** Records at these positions, which are in order. */
export function recordsAt(positions: readonly Position[]): Records {
  const texts = positions.map((position) => {
    const observedAt = `${new Date(position.observedAt * 1000).toISOString().slice(0, 19)}Z`;
    const { station, type, fingerprint } = position;
    const id = `${station}-${observedAt.replace(/[-:TZ]/g, '').slice(0, 12)}-${fingerprint}`;
    return JSON.stringify({ id, station, observedAt, type, raw: 'é'.repeat(Number(fingerprint.length)) });
  });
  const ends: number[] = [];
  for (const text of texts) ends.push((ends.at(-1) ?? -1) + 1 + Buffer.byteLength(text));
  // Of exactly this length and not a slice of Node's pool: a segment counts the memory that it keeps alive.
  const bytes = Buffer.alloc(Buffer.byteLength(texts.join(',')), texts.join(','));
  return { bytes, ends: new Uint32Array(ends), count: texts.length };
}
