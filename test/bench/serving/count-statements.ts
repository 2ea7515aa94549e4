import { requestPage } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import { freshRanges } from './fresh-ranges.ts';
import { withRecordedApi } from './recorded-api.ts';
import { readsReports } from './statement-recorder.ts';
import { walk } from './walk.ts';

const COUNTED_PAGES = 100;

export type StatementCounts = {
  /** Of the walk: pages of 1,000 raw records of one station. */
  readonly pages: number;
  /** Statements that read reports. */
  readonly reads: number;
  /** With the statements for coverage, density and changes. */
  readonly all: number;
  /** Statements that read reports for the first page once more. */
  readonly repeatedReads: number;
};

export async function countStatements({ layout, engine }: BenchArchive): Promise<StatementCounts> {
  const [station = ''] = layout.hourly;
  const first = freshRanges()('walk', station);
  return withRecordedApi(engine, async (api, recorder) => {
    recorder.take();
    let pages = 0;
    for await (const _ of walk(api, first)) {
      pages += 1;
      if (pages === COUNTED_PAGES) break;
    }
    const statements = recorder.take();
    await requestPage(api, first);
    return {
      pages,
      reads: statements.filter(readsReports).length,
      all: statements.length,
      repeatedReads: recorder.take().filter(readsReports).length,
    };
  });
}
