import type { Archive } from '../../../clickhouse/archive.ts';
import type { SliceRecord } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { type CompleteSlice, readCompleteSlices } from '../../../clickhouse/coverage/ledger/read-slices.ts';
import { daysBetween } from '../../../clickhouse/model/day.ts';
import type { Slice } from '../../sources/source.ts';

/** The expectation is the median of this number of slices, the nearest in time. */
const NEAREST = 3;

/** Twenty years of 2,500 stations. */
const MAX_CACHED_SLICES = 50_000;

/** How many reports a slice should have, from the ledger: read once a station, then kept up to date by this run. */
export class ExpectedVolume {
  private readonly client: Archive;
  private readonly cache = new Map<string, CompleteSlice[]>();
  private cachedSlices = 0;

  constructor(client: Archive) {
    this.client = client;
  }

  /** Reports a day in the nearest complete slices of the same source and station; `undefined` without any. */
  async reportsPerDay(slice: Slice, signal: AbortSignal): Promise<number | undefined> {
    const { firstDay, endDay } = slice;
    const nearest = (await this.slicesOf(slice, signal))
      .filter((other) => other.endDay <= firstDay || other.firstDay >= endDay)
      .map((other) => ({ distance: Math.abs(daysBetween(firstDay, other.firstDay)), perDay: perDay(other) }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, NEAREST);
    return nearest.length === 0 ? undefined : median(nearest.map((other) => other.perDay));
  }

  /** Adds a slice that this run has recorded in the ledger. One of a station not yet read is left for that read. */
  add({ source, station, firstDay, doneDay, endDay, reports }: SliceRecord): void {
    const cached = this.cache.get(keyOf({ source, station }));
    if (cached === undefined || doneDay !== endDay) return;
    cached.push({ firstDay, endDay, reports });
    this.cachedSlices += 1;
  }

  private async slicesOf(slice: Slice, signal: AbortSignal): Promise<readonly CompleteSlice[]> {
    const cached = this.cache.get(keyOf(slice));
    if (cached !== undefined) return cached;
    const slices = [...(await readCompleteSlices(this.client, slice, signal))];
    if (this.cachedSlices + slices.length > MAX_CACHED_SLICES) {
      this.cache.clear();
      this.cachedSlices = 0;
    }
    this.cache.set(keyOf(slice), slices);
    this.cachedSlices += slices.length;
    return slices;
  }
}

function keyOf({ source, station }: Pick<Slice, 'source' | 'station'>): string {
  return `${source} ${station}`;
}

function perDay({ firstDay, endDay, reports }: CompleteSlice): number {
  return reports / daysBetween(firstDay, endDay);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [(sorted.length - 1) >> 1, sorted.length >> 1].map((at) => sorted[at]);
  return (low + high) / 2;
}
