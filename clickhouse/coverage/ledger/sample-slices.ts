import type { Archive } from '../../archive.ts';
import type { DayRange } from '../../model/day-ranges.ts';
import type { Source } from '../../model/report.ts';
import { selectRows } from '../../statements/select.ts';
import { readSqlFile } from '../../statements/sql-file.ts';

/** Days that are done by the ledger of a source. */
export type DoneSlice = DayRange & {
  readonly source: Source;
  /** ICAO code, or `*` for every station. */
  readonly station: string;
};

const SAMPLE_SLICES = readSqlFile('coverage/ledger/sample_slices');

/** A random sample of what is done in a range. */
export async function sampleSlices(
  client: Archive,
  asked: DayRange & {
    /** Slices at most. */
    readonly sample: number;
    readonly sources: readonly Source[];
    /** None for every station. */
    readonly stations: readonly string[];
  },
  signal: AbortSignal,
): Promise<readonly DoneSlice[]> {
  return selectRows<DoneSlice>(client, { query: SAMPLE_SLICES, params: asked }, signal);
}
