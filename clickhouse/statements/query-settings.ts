import type { StatementSettings } from '../archive.ts';

/**
 * For statements that read a few granules, the years of a few stations, or only key columns. Planning and threads cost
 * such a statement as much as its rows: without the new analyzer, on one thread that also prints, it takes a fifth less
 * CPU (see DESIGN.md).
 */
export const POINT_READ: StatementSettings = {
  enable_analyzer: 0,
  max_threads: 1,
  output_format_parallel_formatting: 0,
  priority: '1',
};

/**
 * For streams and statistics: between blocks they wait while a `POINT_READ` runs, so that pages have a core, but at
 * most 20 ms, so that many pages do not delay them long (see DESIGN.md).
 */
export const LONG_READ: StatementSettings = { priority: '2', low_priority_query_wait_time_ms: '20' };
