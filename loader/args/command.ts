import { type Day, dayStart } from '../../clickhouse/model/day.ts';
import type { ReportSelection } from '../../clickhouse/statements/current-reports.ts';
import type { SourceName } from '../sources/registry.ts';

type Order = 'newest' | 'oldest';

export type Preference = {
  /** The newest or the oldest year of all stations first; `undefined`: station by station. */
  readonly order: Order | undefined;
  /** Stations that are loaded before all others. */
  readonly priority: readonly string[];
};

/** The part of the archive that a command works on: all of it, unless stations or days are named. */
export type Scope = {
  /** ICAO codes; empty for all stations. */
  readonly stations: readonly string[];
  readonly firstDay: Day;
  readonly endDay: Day;
};

export function selectionOf({ stations, firstDay, endDay }: Scope): ReportSelection {
  return { stations, from: dayStart(firstDay), to: dayStart(endDay) };
}

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
  readonly preference: Preference;
  /** Also request days that are done. */
  readonly again: boolean;
  readonly dryRun: boolean;
};

/** Keeps the archive up to date from these sources until it is stopped. */
export type FollowCommand = Pick<LoadCommand, 'sources' | 'stations' | 'intervalSeconds'> & {
  readonly kind: 'follow';
  /** From the start of a cycle to the start of the next. */
  readonly everySeconds: number;
  /** The first day that is kept up to date; `undefined`: some days back. */
  readonly firstDay: Day | undefined;
};

/** Loads the reports in a folder's files that are in the scope. */
export type ImportCommand = { readonly kind: 'files'; readonly path: string; readonly scope: Scope };

/** Adds a snapshot from a folder or an `https://` address. */
export type SnapshotCommand = {
  readonly kind: 'snapshot';
  readonly path: string;
  /** Ignores the snapshot's decoded fields. */
  readonly decodeAgain: boolean;
};

/** Writes a snapshot of the part of the archive that is in the scope. */
export type ExportCommand = { readonly kind: 'export'; readonly folder: string; readonly scope: Scope };

export type VerifyCommand = {
  readonly kind: 'verify';
  /** Number of slices to compare. */
  readonly sample: number;
  readonly sources: readonly SourceName[];
  readonly scope: Scope;
  readonly intervalSeconds: number | undefined;
};

/** Stations to print individually, all if the list is empty; `undefined`: one line per year for all together. */
export type StatusDetail = readonly string[] | undefined;

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
      /** Include days that no load has requested. */
      readonly all: boolean;
    }
  | { readonly kind: 'status'; readonly detail: StatusDetail; readonly json: boolean }
  | { readonly kind: 'remove-demo' | 'migrate' | 'stations' };
