import type { Records } from '../../clickhouse/observations/records.ts';
import type { PageRequest } from '../../clickhouse/observations/selection.ts';

type Representations = Pick<PageRequest, 'raw' | 'decoded'>;

/** Bytes of a record if none has been read yet: more than usual. */
const UNKNOWN = { raw: 256, decoded: 512 };
/** The part of the estimate that remains when a page has smaller records. */
const KEPT = 0.9;

/** Estimates the size of records by content before a page is read, erring on the large side. */
export class RecordSizes {
  readonly #bytes = new Map<string, number>();

  /** Bytes of one record. */
  estimate(wanted: Representations): number {
    return this.#bytes.get(keyOf(wanted)) ?? UNKNOWN.raw + (wanted.decoded ? UNKNOWN.decoded : 0);
  }

  /** Larger records count at once, smaller ones gradually. */
  add(wanted: Representations, { bytes, count }: Records): void {
    if (count === 0) return;
    const size = bytes.length / count;
    const before = this.#bytes.get(keyOf(wanted)) ?? size;
    this.#bytes.set(keyOf(wanted), Math.max(size, before * KEPT + size * (1 - KEPT)));
  }
}

function keyOf({ raw, decoded }: Representations): string {
  return `${raw} ${decoded}`;
}
