import { hourly, type IemReport } from '../support/sources/iem-reports.ts';
import type { TwoShards } from './two-shards.ts';

/** Made-up codes of four letters: IEM knows them by the same code. */
const CODES = Array.from({ length: 26 }, (_, n) => `ZZZ${String.fromCharCode(65 + n)}`);

/** `count` stations of each shard. */
export async function stationsOfShards(
  shards: TwoShards,
  count: number,
): Promise<readonly [readonly string[], readonly string[]]> {
  const [first, second] = await shards.byShard(CODES);
  return [first.slice(0, count), second.slice(0, count)];
}

/** Hourly reports of stations from the beginning of 2024. */
export function reportsOf(stations: readonly string[], days: number): readonly IemReport[] {
  return stations.flatMap((station) => hourly(station, '2024-01-01', days));
}
