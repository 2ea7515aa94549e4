import type { Archive } from '../archive.ts';
import { selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';

/** The archive in numbers. The number of reports includes replaced versions, a few percent at most. */
export type ArchiveSummary = {
  /** Stations with reports. */
  readonly stations: number;
  readonly reports: number;
  /** Absent if there is no report. */
  readonly span?: ArchiveSpan;
};

type ArchiveSpan = {
  readonly firstYear: number;
  readonly lastYear: number;
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly newestReport: number;
  /** One or two stations whose newest report is at most three days older than the newest overall. */
  readonly examples: readonly string[];
};

const QUERY = readStatement('stations/archive_summary');

/** Takes some milliseconds: it reads the coverage view, which has a row for each station and year. */
export async function readArchiveSummary(client: Archive, signal: AbortSignal): Promise<ArchiveSummary> {
  const [row] = await selectRows<Row>(client, { query: QUERY }, signal);
  if (row === undefined || row.newestReport === null) return { stations: 0, reports: 0 };
  const { stations, reports, firstYear, lastYear, newestReport, examples } = row;
  return {
    stations: Number(stations),
    reports: Number(reports),
    span: { firstYear, lastYear, newestReport, examples },
  };
}

/** 64-bit numbers are text. */
type Row = {
  readonly stations: number | string;
  readonly reports: number | string;
  readonly firstYear: number;
  readonly lastYear: number;
  readonly newestReport: number | null;
  readonly examples: readonly string[];
};
