import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { storageFailure } from '../../../clickhouse/errors.ts';
import type { LoadResult } from '../../pipeline/load-slice.ts';
import { retryStorage } from '../../pipeline/workers/retry-storage.ts';
import type { LoadProgress } from '../../progress/load-progress.ts';
import type { Body } from '../../sources/source.ts';
import { type ImportContext, importFile } from './import-file.ts';
import { tarEntries } from './tar-entries.ts';

/**
 * Loads each file of a tar archive as if it were in the folder. After a ClickHouse failure the archive is reread from
 * its start, skipping loaded files.
 */
export async function importTar(
  context: ImportContext,
  archive: { readonly name: string; readonly open: () => Readable },
  progress: LoadProgress,
  afterSlice: AbortSignal,
  finished: (name: string, result: LoadResult) => void,
): Promise<void> {
  let loaded = 0;
  const load = async () => {
    let at = 0;
    for await (const entry of tarEntries(archive.open())) {
      if (afterSlice.aborted) return;
      at += 1;
      if (at <= loaded) continue;
      const name = `${archive.name}/${entry.name}`;
      const content = entry.name.endsWith('.gz') ? unzipped(entry.content) : entry.content;
      const result = await progress.track(name, () => importFile(context, content));
      loaded = at;
      // The archive itself is counted already.
      progress.adjustTotal(1);
      finished(name, result);
    }
  };
  try {
    await retryStorage(load, context.signal);
    finished(archive.name, { kind: 'loaded', reports: 0, inserted: 0, skipped: {} });
  } catch (error) {
    if (context.signal.aborted || storageFailure(error) !== 'unknown') throw error;
    finished(archive.name, { kind: 'failed', reason: String(error) });
  }
}

/** An error of the content reaches the reader through the returned stream. */
function unzipped(content: Body): Body {
  return pipeline(Readable.from(content), createGunzip(), () => {});
}
