import type { Day } from '../../clickhouse/model/day.ts';
import type { SourceName } from '../sources/registry.ts';

/** What a load asks for: by the command `load`, or by one of the loads of `follow`. */
export type LoadCommand = {
  readonly kind: 'load';
  /** At least one; loaded at the same time. */
  readonly sources: readonly SourceName[];
  /** ICAO codes, or `ALL_STATIONS` alone. */
  readonly stations: readonly string[];
  readonly firstDay: Day;
  readonly endDay: Day;
  /** `undefined`: the interval of the source's rate limit. */
  readonly intervalSeconds: number | undefined;
  /** The newest or the oldest year of all stations first; `undefined`: station by station. */
  readonly order?: 'newest' | 'oldest' | undefined;
  /** Stations that are loaded before all others. */
  readonly priority?: readonly string[] | undefined;
  /** Also requests days that are done. */
  readonly refetch: boolean;
  readonly dryRun: boolean;
};
