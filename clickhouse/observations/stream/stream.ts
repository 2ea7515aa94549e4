import { PassThrough, type Readable } from 'node:stream';
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
import { joinArrow } from './join-arrow.ts';
import { joinLines } from './join-lines.ts';
import { joinParquet } from './join-parquet.ts';
import { joinWindows, type WindowJoiner } from './join-windows.ts';
import { matchingWindows } from './matching-windows.ts';
import { csvColumns, typedColumns } from './stream-columns.ts';
import type { StreamRange } from './stream-range.ts';
import { type WindowRows, windowsOf } from './windows.ts';

/** What the engine prints for each format of D33. */
type OutputFormat = {
  /** As in the clause `FORMAT`. */
  readonly name: string;
  /** For rows that follow others. */
  readonly following: string;
  /** Makes one stream of what several statements print; it fails instead of holding more than `limit` records. */
  readonly join: (limit: number) => WindowJoiner;
  readonly columns: (representations: Representations) => readonly string[];
  readonly settings: StatementSettings;
};

const OUTPUT_FORMATS = {
  // The line is the value of one column, as it is: JSON text has neither tabs nor line breaks.
  ndjson: {
    name: 'TSVRaw',
    following: 'TSVRaw',
    join: (limit) => joinLines(limit, 0),
    columns: (representations) => [recordLine(representations)],
    settings: {},
  },
  csv: {
    name: 'CSVWithNames',
    following: 'CSV',
    join: (limit) => joinLines(limit, 1),
    columns: csvColumns,
    settings: { output_format_csv_crlf_end_of_line: 1, format_csv_null_representation: '' },
  },
  parquet: {
    name: 'Parquet',
    following: 'Parquet',
    join: joinParquet,
    columns: typedColumns,
    settings: {
      output_format_parquet_compression_method: 'zstd',
      output_format_parquet_row_group_size: '100000',
      // They have positions of their own, which are others in a file that is joined.
      output_format_parquet_write_page_index: 0,
      output_format_parquet_write_bloom_filter: 0,
    },
  },
  // Some readers of Arrow know no compression.
  arrow: {
    name: 'ArrowStream',
    following: 'ArrowStream',
    join: joinArrow,
    columns: typedColumns,
    settings: { output_format_arrow_compression_method: 'none' },
  },
} as const satisfies Readonly<Record<string, OutputFormat>>;

export type StreamFormat = keyof typeof OUTPUT_FORMATS;

/** How the engine prints each format, and how what it prints is joined. */
export const OUTPUT: Readonly<Record<StreamFormat, Pick<OutputFormat, 'settings' | 'join'>>> = OUTPUT_FORMATS;

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
 * A statement merges all parts of its range before its first row. So each statement reads one time window: the first bytes
 * come at once, and the memory of the engine does not grow with the range.
 */
export function streamReader(
  client: Archive,
  readState: CoverageStateReader,
  rows: WindowRows = WINDOW_ROWS,
): OpenStream {
  const density = new ReportDensity(readState);
  return async (request, range, format, signal) => {
    const output: OutputFormat = OUTPUT_FORMATS[format];
    const { condition } = request;
    const windows =
      condition === undefined
        ? windowsOf(request, range, density, rows, signal)
        : matchingWindows(client, { ...request, condition }, range, density, rows, signal);
    const openNext = async (printed: OutputFormat) => {
      const { value: part } = await windows.next();
      return part && openPart(client, request, part, printed, signal);
    };
    const servers = client.countServerChanges();
    const first = await openNext(output);
    const openFollowing = async () => {
      if (client.countServerChanges() !== servers) throw new Error('The stream began on another server');
      return openNext({ ...output, name: output.following });
    };
    const joined = new PassThrough();
    joinWindows(first, openFollowing, output.join(request.limit), joined);
    return joined;
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
