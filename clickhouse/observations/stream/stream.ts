import type { Readable } from 'node:stream';
import { type Archive, AS_IT_RUNS, type StatementSettings } from '../../archive.ts';
import type { CoverageStateReader } from '../../coverage/state/state.ts';
import { fillSql, readSqlFile } from '../../statements/sql-file.ts';
import type { PageRequest } from '../page/page.ts';
import { recordLine } from '../record-line.ts';
import { ReportDensity } from '../report-density.ts';
import {
  bindSelection,
  type Representations,
  type RowRange,
  readColumns,
  selectedVersions,
} from '../row-selection.ts';
import { joinWindows } from './join-windows.ts';
import { limitLines } from './line-limit.ts';
import { csvColumns, typedColumns } from './stream-columns.ts';
import type { StreamRange } from './stream-range.ts';
import { type WindowRows, windowsOf } from './windows.ts';

/** What the engine prints for each format of D33. */
type OutputFormat = {
  /** As in the clause `FORMAT`. */
  readonly name: string;
  /** For rows that follow others, where what two statements print can be joined. */
  readonly following?: string;
  readonly columns: (representations: Representations) => readonly string[];
  readonly settings: StatementSettings;
};

const OUTPUT_FORMATS = {
  // The line is the value of one column, as it is: JSON text has neither tabs nor line breaks.
  ndjson: {
    name: 'TSVRaw',
    following: 'TSVRaw',
    columns: (representations) => [recordLine(representations)],
    settings: {},
  },
  csv: {
    name: 'CSVWithNames',
    following: 'CSV',
    columns: csvColumns,
    settings: { output_format_csv_crlf_end_of_line: 1, format_csv_null_representation: '' },
  },
  parquet: {
    name: 'Parquet',
    columns: typedColumns,
    // The first bytes leave with the first row group.
    settings: {
      output_format_parquet_compression_method: 'zstd',
      output_format_parquet_row_group_size: '100000',
    },
  },
  // Some readers of Arrow know no compression.
  arrow: {
    name: 'ArrowStream',
    columns: typedColumns,
    settings: { output_format_arrow_compression_method: 'none' },
  },
} as const satisfies Readonly<Record<string, OutputFormat>>;

export type StreamFormat = keyof typeof OUTPUT_FORMATS;

/** How the engine prints each format. */
export const OUTPUT_SETTINGS: Readonly<Record<StreamFormat, StatementSettings>> = {
  ndjson: OUTPUT_FORMATS.ndjson.settings,
  csv: OUTPUT_FORMATS.csv.settings,
  parquet: OUTPUT_FORMATS.parquet.settings,
  arrow: OUTPUT_FORMATS.arrow.settings,
};

const STREAM = readSqlFile('observations/stream');

/** Of a subquery with a condition: see `selectedVersions`. */
export const AND_MEETS = 'AND report.meets';

/** Smaller than by default: a station's twenty years take less time (DESIGN.md). */
const BLOCK_ROWS = 16_384;
/** The longest time that the profile of the api's user allows: a stream takes as long as its client reads. */
export const WEEK_SECONDS = 604_800;

export type OpenStream = (
  request: PageRequest,
  range: StreamRange,
  format: StreamFormat,
  signal: AbortSignal,
) => Promise<Readable>;

/** The first bytes come from a short statement. What other numbers cost stands in DESIGN.md. */
const WINDOW_ROWS: WindowRows = { first: 10_000, next: 100_000 };

/**
 * Opens the bytes of a range in a format. They come as fast as they are read, each report once, in the order of D12. What
 * fails before the first bytes throws here; what fails later is an error of the stream, which then never ends.
 *
 * A statement merges all parts of its range before its first row. So where a format can be joined, each statement reads
 * one time window: the first bytes come at once, and the memory of the engine does not grow with the range.
 */
export function streamReader(
  client: Archive,
  readState: CoverageStateReader,
  rows: WindowRows = WINDOW_ROWS,
): OpenStream {
  const density = new ReportDensity(readState);
  return async (request, range, format, signal) => {
    const output: OutputFormat = OUTPUT_FORMATS[format];
    const { name, following } = output;
    const open = (part: RowRange, printed: OutputFormat) => openPart(client, request, part, printed, signal);
    if (following === undefined) return open({ ...range, after: request.after }, output);
    const windows = windowsOf(request, range, density, rows, signal);
    const openNext = async (printed: OutputFormat) => {
      const { value: part } = await windows.next();
      return part && open(part, printed);
    };
    const servers = client.countServerChanges();
    const first = await openNext(output);
    const openFollowing = async () => {
      if (client.countServerChanges() !== servers) throw new Error('The stream began on another server');
      return openNext({ ...output, name: following });
    };
    const headerLines = following === name ? 0 : 1;
    const lines = limitLines(request.limit + headerLines);
    joinWindows(first, openFollowing, lines);
    return lines;
  };
}

function openPart(
  client: Archive,
  request: PageRequest,
  part: RowRange,
  { name, columns, settings }: OutputFormat,
  signal: AbortSignal,
): Promise<Readable> {
  const selection = { ...request, ...part };
  const query = fillSql(STREAM, {
    highestVersions: selectedVersions(selection, readColumns(request)),
    columns: columns(request).join(',\n    '),
    meets: request.condition === undefined ? '' : AND_MEETS,
    format: name,
  });
  return client.stream(
    {
      query,
      ...bindSelection(selection),
      settings: {
        ...settings,
        ...AS_IT_RUNS,
        max_block_size: String(BLOCK_ROWS),
        max_execution_time: WEEK_SECONDS,
      },
    },
    signal,
  );
}
