import type { ClickHouseClient } from '@clickhouse/client';
import { type CompleteSlice, readCompleteSlices } from '../../clickhouse/coverage/complete-slices.ts';
import type { SliceRecord } from '../../clickhouse/coverage/ledger.ts';
import { type Day, daysBetween } from '../../clickhouse/model/day.ts';
import type { Slice } from '../sources/source.ts';

/** So many of the slices nearest in time to one are what it is held against. */
const NEAREST = 3;

/** Slices that are kept in mind at most: twenty years of 2,500 stations. */
const KEPT = 50_000;

/** What the slices around one hold, as the ledger tells it when a station is first met and this run adds to it. */
export class ExpectedVolume {
  private readonly client: ClickHouseClient;
  private readonly known = new Map<string, CompleteSlice[]>();
  private count = 0;

  constructor(client: ClickHouseClient) {
    this.client = client;
  }

  /** Reports a day in the nearest whole slices of the same source and station; `undefined` without any. */
  async reportsPerDay(slice: Slice, signal: AbortSignal): Promise<number | undefined> {
    const { firstDay, endDay } = slice;
    const around = (await this.slicesOf(slice, signal))
      .filter((other) => other.endDay <= firstDay || other.firstDay >= endDay)
      .map((other) => ({ far: Math.abs(daysBetween(firstDay, other.firstDay)), perDay: perDay(other) }))
      .sort((a, b) => a.far - b.far)
      .slice(0, NEAREST)
      .map((other) => other.perDay);
    return around.length === 0 ? undefined : median(around);
  }

  /** To be told of what has been entered into the ledger. */
  recorded({ source, station, firstDay, doneDay, endDay, reports }: SliceRecord): void {
    const known = this.known.get(keyOf({ source, station }));
    if (known === undefined || doneDay !== endDay) return;
    known.push({ firstDay, endDay, reports });
    this.count += 1;
  }

  private async slicesOf(slice: Slice, signal: AbortSignal): Promise<readonly CompleteSlice[]> {
    const known = this.known.get(keyOf(slice));
    if (known !== undefined) return known;
    const slices = [...(await readCompleteSlices(this.client, slice, signal))];
    if (this.count + slices.length > KEPT) {
      this.known.clear();
      this.count = 0;
    }
    this.known.set(keyOf(slice), slices);
    this.count += slices.length;
    return slices;
  }
}

function keyOf({ source, station }: Pick<Slice, 'source' | 'station'>): string {
  return `${source} ${station}`;
}

function perDay({ firstDay, endDay, reports }: { firstDay: Day; endDay: Day; reports: number }): number {
  return reports / daysBetween(firstDay, endDay);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [(sorted.length - 1) >> 1, sorted.length >> 1].map((at) => sorted[at]);
  return (low + high) / 2;
}
