import { peakMegabytes, residentMegabytes } from '../../support/process-usage.ts';
import { describeArchive } from '../engine.ts';
import type { Results } from '../results.ts';
import { PAGE_CACHE_MEGABYTES, withBenchApi } from './api.ts';
import { openOther } from './other.ts';
import { measurePages } from './pages.ts';
import { queriesOf } from './queries.ts';
import { measureStreams } from './streams.ts';
import { measureWalks } from './walks.ts';

/** Names and defaults are those of the command. */
export type ReadOptions = {
  readonly rows: string;
  /** Of all pages. */
  readonly rounds: string;
  /** The folder of another checkout, whose api is asked in turn with this one. */
  readonly against: string;
  readonly data: string;
};

/** Pages, walks and streams over HTTP on synthetic reports, in turn with another api where one is named. */
export async function benchRead(options: ReadOptions): Promise<Results> {
  return withBenchApi(options, async (archive, api) => {
    const other = await openOther(options);
    try {
      const queries = await queriesOf(archive);
      const sections = [
        await measurePages(api, other, queries, Number(options.rounds)),
        await measureWalks(api, other, archive.layout.fifty),
        await measureStreams(archive, api, other),
      ];
      const memory = {
        what: 'most resident memory of the api, all measurements of this run',
        measured: await peakMegabytes(api.pid),
        unit: 'MB',
        atMost: 300 + PAGE_CACHE_MEGABYTES,
        detail: `300 MB and the page cache of ${PAGE_CACHE_MEGABYTES} MB; ${await residentMegabytes(api.pid)} MB at the end`,
      } as const;
      return {
        about: await describeArchive(archive.engine),
        sections: [...sections, { title: 'Memory', figures: [memory] }],
      };
    } finally {
      await other?.close();
    }
  });
}
