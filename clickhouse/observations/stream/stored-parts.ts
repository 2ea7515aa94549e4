import type { Archive } from '../../archive.ts';
import type { TimeWindow } from '../../model/time-window.ts';
import type { REPORT_TABLES } from '../../statements/current-reports.ts';
import { POINT_READ, selectRows } from '../../statements/select.ts';
import { fillSql, readStatement } from '../../statements/sql.ts';

const STORED_PARTS = readStatement('observations/stored_parts');

/** A part of a table of reports. No two of its rows are of one report; rows of two parts of a partition can be. */
export type StoredPart = {
  readonly name: string;
  readonly rows: number;
  /** 0 without a cluster. */
  readonly shard: number;
  readonly partition: string;
  /** The times of its reports, `[from, to)`, in seconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
};

type ReportTable = (typeof REPORT_TABLES)[number];

/** The parts of tables, from their metadata, as they were at the last look. */
export class StoredParts {
  readonly #archive: Archive;
  readonly #known = new Map<ReportTable, readonly StoredPart[]>();

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  async of(table: ReportTable): Promise<readonly StoredPart[]> {
    return this.#known.get(table) ?? this.#read(table);
  }

  /** Looks again: whether the same parts as before have the reports of a window. */
  async areSame(table: ReportTable, window: TimeWindow): Promise<boolean> {
    return hasSameParts(await this.of(table), await this.#read(table), window);
  }

  async #read(table: ReportTable): Promise<readonly StoredPart[]> {
    const select = { query: fillSql(STORED_PARTS, { table }), settings: POINT_READ };
    const stored = await selectRows<StoredPart>(this.#archive, select);
    this.#known.set(table, stored);
    return stored;
  }
}

/**
 * The first part of a window, in the order of a reader, in which each report has one version, or in which none can be sure to
 * have one. Where the stored parts of a partition have reports of different times, a report has no other version.
 */
export function firstUniform(
  stored: readonly StoredPart[],
  window: TimeWindow,
  isDescending = false,
): { readonly window: TimeWindow; readonly hasOneVersion: boolean } {
  const { from, to } = window;
  const inside = (time: number) => time > from && time < to;
  const bounds = [...new Set(stored.flatMap((part) => [part.from, part.to]).filter(inside))];
  bounds.sort((a, b) => (isDescending ? b - a : a - b));
  let at = isDescending ? to - 1 : from;
  const hasOneVersion = hasOneVersionAt(stored, at);
  for (const bound of bounds) {
    at = isDescending ? bound - 1 : bound;
    if (hasOneVersionAt(stored, at) === hasOneVersion) continue;
    return { window: isDescending ? { from: bound, to } : { from, to: bound }, hasOneVersion };
  }
  return { window, hasOneVersion };
}

function hasOneVersionAt(stored: readonly StoredPart[], time: number): boolean {
  const partitions = stored.filter(({ from, to }) => from <= time && time < to).map(partitionOf);
  return new Set(partitions).size === partitions.length;
}

function partitionOf({ shard, partition }: StoredPart): string {
  return `${shard} ${partition}`;
}

/** Whether the same parts have the reports of a window at two moments. */
export function hasSameParts(
  before: readonly StoredPart[],
  now: readonly StoredPart[],
  { from, to }: TimeWindow,
): boolean {
  const namesOf = (stored: readonly StoredPart[]) =>
    stored
      .flatMap((part) => (part.from < to && part.to > from ? `${part.partition} ${part.name}` : []))
      .sort();
  return namesOf(before).join() === namesOf(now).join();
}
