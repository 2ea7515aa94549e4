import type { Day } from '../../clickhouse/model/day.ts';
import type { Scope } from '../../clickhouse/model/time-window.ts';
import type { SourceName } from '../sources/registry.ts';

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
  readonly again: boolean;
  readonly dryRun: boolean;
};

export type FollowCommand = Pick<LoadCommand, 'sources' | 'stations' | 'intervalSeconds'> & {
  readonly kind: 'follow';
  /** From the start of a cycle to the start of the next. */
  readonly everySeconds: number;
  /** The first day that is kept up to date; `undefined`: some days back. */
  readonly firstDay: Day | undefined;
};

export type ImportCommand = { readonly kind: 'files'; readonly path: string; readonly scope: Scope };

/** Adds a snapshot from a folder or an `https://` address. */
export type SnapshotCommand = {
  readonly kind: 'snapshot';
  readonly path: string;
  readonly decodeAgain: boolean;
};

export type ExportCommand = { readonly kind: 'export'; readonly folder: string; readonly scope: Scope };

export type VerifyCommand = {
  readonly kind: 'verify';
  readonly sample: number;
  readonly sources: readonly SourceName[];
  readonly scope: Scope;
  readonly intervalSeconds: number | undefined;
};

export type Command =
  | LoadCommand
  | FollowCommand
  | ImportCommand
  | ExportCommand
  | SnapshotCommand
  | VerifyCommand
  | { readonly kind: 'redecode'; readonly scope: Scope }
  | {
      readonly kind: 'gaps';
      readonly scope: Scope;
      readonly all: boolean;
    }
  | {
      readonly kind: 'status';
      /** Stations to print individually, all if the list is empty; `undefined`: a line a year for all together. */
      readonly detail: readonly string[] | undefined;
      readonly json: boolean;
    }
  | { readonly kind: 'remove-demo' | 'migrate' | 'stations' };
