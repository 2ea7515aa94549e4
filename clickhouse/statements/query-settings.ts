import type { StatementSettings } from '../archive.ts';

/**
 * For statements that read a few granules, the years of a few stations, or key columns alone. Planning and threads cost
 * such a statement as much as its rows: without the newer analyzer, on one thread and printed by that thread it takes a
 * fifth less CPU (see DESIGN.md).
 */
export const POINT_READ: StatementSettings = {
  enable_analyzer: 0,
  max_threads: 1,
  output_format_parallel_formatting: 0,
};
