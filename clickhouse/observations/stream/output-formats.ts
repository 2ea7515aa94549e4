import { AS_IT_RUNS, type StatementSettings, WITH_END } from '../../archive.ts';
import { LONG_READ, planSettings } from '../../statements/select.ts';
import type { RowSelection } from '../selection.ts';

/** The formats of D33: the names in the clause `FORMAT`, of the first rows and of `following` ones, and what they need. */
export const OUTPUT_FORMATS = {
  // The line is the raw value of one column: JSON text has neither tabs nor line breaks.
  ndjson: {
    name: 'CustomSeparated',
    following: 'CustomSeparated',
    settings: { format_custom_escaping_rule: 'Raw', format_custom_row_after_delimiter: '\n', ...WITH_END },
  },
  // As the format CSV prints it, which has no end that shows that an answer is complete.
  csv: {
    name: 'CustomSeparatedWithNames',
    following: 'CustomSeparated',
    settings: {
      format_custom_escaping_rule: 'CSV',
      format_custom_field_delimiter: ',',
      format_custom_row_after_delimiter: '\r\n',
      format_csv_null_representation: '',
      ...WITH_END,
    },
  },
  parquet: {
    name: 'Parquet',
    following: 'Parquet',
    settings: {
      output_format_parquet_compression_method: 'zstd',
      output_format_parquet_row_group_size: '100000',
      // Page indexes have their own positions, which change in a joined file.
      output_format_parquet_write_page_index: 0,
      output_format_parquet_write_bloom_filter: 0,
    },
  },
  // Some Arrow readers do not support compression.
  arrow: {
    name: 'ArrowStream',
    following: 'ArrowStream',
    settings: { output_format_arrow_compression_method: 'none' },
  },
} as const satisfies Readonly<
  Record<string, { settings: StatementSettings; name: string; following: string }>
>;

export type StreamFormat = keyof typeof OUTPUT_FORMATS;

/** `json`: the elements of `data`. */
export type RowFormat = 'json' | StreamFormat;

/** The longest time that the profile of the api's user allows: a stream takes as long as its client reads. */
const WEEK_SECONDS = 604_800;

export function streamSettings(
  format: StreamFormat,
  request: Pick<RowSelection, 'condition'>,
): StatementSettings {
  return {
    ...OUTPUT_FORMATS[format].settings,
    ...AS_IT_RUNS,
    ...LONG_READ,
    ...planSettings(request),
    // Blocks of the default size, a megabyte, have few rows of many columns, and each costs CPU for its columns.
    preferred_block_size_bytes: '0',
    // A window is read by one thread in any case, and its rows formatted by another one: 0.9 of the CPU of two.
    max_threads: 1,
    max_execution_time: WEEK_SECONDS,
    // How many rows of a window meet a condition is known when they have been read: too many are sorted on the disk.
    ...(request.condition !== undefined && {
      max_bytes_before_external_sort: String(256 * 1024 * 1024),
      max_bytes_ratio_before_external_sort: 0,
    }),
  };
}
