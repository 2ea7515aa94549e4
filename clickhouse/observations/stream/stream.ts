import type { Readable } from 'node:stream';
import { type Archive, AS_IT_RUNS } from '../../archive.ts';
import type { CoverageStateReader } from '../../coverage/state/state.ts';
import { LONG_READ } from '../../statements/query-settings.ts';
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
import { joinWindows, RecordStream, type WindowJoiner } from './join-windows.ts';
import { matchingWindows } from './matching-windows.ts';
import { OUTPUT_FORMATS, type StreamFormat } from './output-formats.ts';
import { csvColumns, typedColumns } from './stream-columns.ts';
import type { StreamRange } from './stream-range.ts';
import { type StreamWindows, windowsOf } from './windows.ts';

const COLUMNS: Readonly<Record<StreamFormat, (representations: Representations) => readonly string[]>> = {
  ndjson: (representations) => [recordLine(representations)],
  csv: csvColumns,
  parquet: typedColumns,
  arrow: typedColumns,
};

/** Make one stream of what several statements print; they fail instead of holding more than `limit` records. */
export const JOINERS: Readonly<Record<StreamFormat, (limit: number) => WindowJoiner>> = {
  ndjson: (limit) => joinLines(limit, 0),
  csv: (limit) => joinLines(limit, 1),
  parquet: joinParquet,
  arrow: joinArrow,
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
) => Promise<RecordStream>;

/** The first bytes come from a short statement. What other numbers cost stands in DESIGN.md. */
const WINDOW_ROWS: StreamWindows = { first: 2000, next: 100_000, matches: 20_000 };

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
  rows: StreamWindows = WINDOW_ROWS,
): OpenStream {
  const density = new ReportDensity(readState);
  return async (request, range, format, signal) => {
    const { name, following } = OUTPUT_FORMATS[format];
    const { condition } = request;
    const windows =
      condition === undefined
        ? windowsOf(request, range, density, rows, signal)
        : matchingWindows(client, { ...request, condition }, range, density, rows, signal);
    const openNext = async (printedAs: string) => {
      const { value: part } = await windows.next();
      return part && openPart(client, request, part, format, printedAs, signal);
    };
    const servers = client.countServerChanges();
    const first = await openNext(name);
    const openFollowing = async () => {
      if (client.countServerChanges() !== servers) throw new Error('The stream began on another server');
      return openNext(following);
    };
    const joined = new RecordStream();
    joinWindows(first, openFollowing, JOINERS[format](request.limit), joined);
    return joined;
  };
}

function openPart(
  client: Archive,
  request: PageRequest,
  part: RowRange,
  format: StreamFormat,
  printedAs: string,
  signal: AbortSignal,
): Promise<Readable> {
  const selection = { ...request, ...part };
  const query = fillSql(STREAM, {
    highestVersions: selectedVersions(selection, readColumns(request)),
    columns: COLUMNS[format](request).join(',\n    '),
    meets: request.condition === undefined ? '' : AND_MEETS,
    format: printedAs,
  });
  return client.stream(
    {
      query,
      ...bindSelection(selection),
      settings: {
        ...OUTPUT_FORMATS[format].settings,
        ...AS_IT_RUNS,
        ...LONG_READ,
        max_block_size: String(BLOCK_ROWS),
        max_execution_time: WEEK_SECONDS,
      },
    },
    signal,
  );
}
