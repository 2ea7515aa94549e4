import type { Archive } from '../archive.ts';
import { SECONDS_PER_DAY } from '../model/day.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { POINT_READ, selectRows } from './select.ts';

/** A part of a table. Its rows have different keys, but rows in two parts of the same partition can have the same key. */
export type ServedPart = {
  readonly table: string;
  /** The shard, which is 0 without a cluster, and the name, which says which inserts the part contains: `0-2024_1_3_1`. */
  readonly name: string;
  readonly rows: number;
  /** The times of its reports, `[from, to)`, in seconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
};

/** Parts of a table, and the times at which two of them have reports: at all other times each report has one version. */
export type NamedParts = { readonly names: readonly string[]; readonly versioned: readonly TimeWindow[] };

/** The parts of the tables behind pages and coverage, from their metadata. */
export function readServedParts(archive: Archive): Promise<readonly ServedPart[]> {
  return selectRows(archive, { query: 'SELECT * FROM served_parts', settings: POINT_READ });
}

/** The prefix of the names of parts on a server without a cluster. */
const NO_SHARD = '0-';

/** The parts of a table that have reports of a window; none in a cluster, where the statement can read another replica. */
export function partsOf(stored: readonly ServedPart[], table: string, window: TimeWindow) {
  const parts = stored.filter(
    (part) => part.table === table && part.from < window.to && part.to > window.from,
  );
  if (!parts.every(({ name }) => name.startsWith(NO_SHARD))) return undefined;
  return { names: parts.map(nameOnServer), versioned: timesOfVersions(parts) };
}

/** Whether the table has these parts: a merge takes parts away. */
export function hasParts(stored: readonly ServedPart[], table: string, { names }: NamedParts): boolean {
  const known = new Set(stored.filter((part) => part.table === table).map(nameOnServer));
  return names.every((name) => known.has(name));
}

function nameOnServer({ name }: ServedPart): string {
  return name.slice(NO_SHARD.length);
}

/** The times at which two parts of a partition have reports. Gaps of less than a day are joined, to keep the statement short. */
function timesOfVersions(parts: readonly ServedPart[]): readonly TimeWindow[] {
  const ends = new Map<string, number>();
  const times: { from: number; to: number }[] = [];
  for (const { name, from, to } of parts.toSorted((a, b) => a.from - b.from)) {
    const partition = name.slice(0, name.indexOf('_'));
    const end = Math.min(ends.get(partition) ?? from, to);
    ends.set(partition, Math.max(ends.get(partition) ?? to, to));
    if (end <= from) continue;
    const last = times.at(-1);
    if (last !== undefined && from - last.to < SECONDS_PER_DAY) last.to = Math.max(last.to, end);
    else times.push({ from, to: end });
  }
  return times;
}
