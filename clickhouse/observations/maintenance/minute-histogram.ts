import type { Archive } from '../../archive.ts';
import type { ReportType, Source } from '../../model/report.ts';
import { streamRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';

/** How many reports of one type a station has at one minute of the hour. */
type MinuteCount = {
  readonly station: string;
  readonly minute: number;
  readonly type: ReportType;
  /** Whether the source sent the type; otherwise it was inferred. */
  readonly typeSent: boolean;
  readonly reports: number;
};

const MINUTE_HISTOGRAM = readStatement('maintenance/minute_histogram');

/**
 * The minutes of every station in the seconds `[from, to)`, streamed: a year of all stations is large.
 *
 * @param typedSources sources that always send the type, even where the text has no keyword
 */
export async function* readMinuteHistogram(
  client: Archive,
  params: { readonly from: number; readonly to: number; readonly typedSources: readonly Source[] },
  signal: AbortSignal,
): AsyncGenerator<MinuteCount> {
  for await (const rows of streamRows<MinuteCount>(client, { query: MINUTE_HISTOGRAM, params }, signal))
    yield* rows;
}
