import type { Archive } from '../archive.ts';
import { POINT_READ, selectRows } from './select.ts';

/** A part of a table. No two of its rows have one key; rows of two parts of a partition can. */
export type ServedPart = {
  readonly table: string;
  /** The shard, which is 0 without a cluster, and the name, which says which inserts the part contains: `0-2024_1_3_1`. */
  readonly name: string;
  readonly rows: number;
  /** The times of its reports, `[from, to)`, in seconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
};

/** The parts of the tables behind pages and coverage, from their metadata. */
export function readServedParts(archive: Archive): Promise<readonly ServedPart[]> {
  return selectRows(archive, { query: 'SELECT * FROM served_parts', settings: POINT_READ });
}
