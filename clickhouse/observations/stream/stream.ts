import type { Readable } from 'node:stream';
import { type Archive, AS_IT_RUNS, type StatementSettings } from '../../archive.ts';
import { fillSql, readSqlFile } from '../../statements/sql-file.ts';
import type { PageRequest } from '../page/page.ts';
import { recordLine } from '../record-line.ts';
import { bindSelection, currentReportsInOrder, type Representations } from '../row-selection.ts';
import { csvColumns, readColumns, typedColumns } from './stream-columns.ts';
import type { StreamRange } from './stream-range.ts';

/** What the engine prints for each format of D33. */
type OutputFormat = {
  /** As in the clause `FORMAT`. */
  readonly name: string;
  readonly columns: (representations: Representations) => readonly string[];
  readonly settings: StatementSettings;
};

const OUTPUT_FORMATS = {
  // The line is the value of one column, as it is: JSON text has neither tabs nor line breaks.
  ndjson: { name: 'TSVRaw', columns: (representations) => [recordLine(representations)], settings: {} },
  csv: {
    name: 'CSVWithNames',
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

const STREAM = readSqlFile('observations/stream');

/** Smaller than by default: a station's twenty years take less time (DESIGN.md). */
const BLOCK_ROWS = 16_384;
/** The longest time that the profile of the api's user allows: a stream takes as long as its client reads. */
const WEEK_SECONDS = 604_800;

export type OpenStream = (
  request: PageRequest,
  range: StreamRange,
  format: StreamFormat,
  signal: AbortSignal,
) => Promise<Readable>;

/**
 * Opens the bytes of a range in a format. They come as fast as they are read, each report once, in the order of D12. What
 * fails before the first bytes throws here; what fails later is an error of the stream, which then never ends.
 */
export function streamReader(client: Archive): OpenStream {
  return (request, { window, last }, format, signal) => {
    const { name, columns, settings } = OUTPUT_FORMATS[format];
    const selection = { ...request, window, last };
    const query = fillSql(STREAM, {
      currentReports: currentReportsInOrder(selection, readColumns(request)),
      columns: columns(request).join(',\n    '),
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
  };
}
