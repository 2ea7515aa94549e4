import type { Archive } from '../archive.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';

/** A loader that writes reports observed in a window, as its row in `writers` says. */
export type OpenWriter = TimeWindow & {
  readonly run: string;
  /** It has not renewed its row, as a loader that writes does: it has ended. */
  readonly hasEnded: boolean;
};

/** A loader that writes renews its row when it is older than this. */
export const RENEW_SECONDS = 1800;

const OPEN_WRITERS = readStatement('maintenance/open_writers');

/** The loaders, other than `run`, that have not ended in good order. */
export function readOpenWriters(archive: Archive, run: string): Promise<readonly OpenWriter[]> {
  const params = { run, ended: 2 * RENEW_SECONDS };
  return selectRows<OpenWriter>(archive, { query: OPEN_WRITERS, params });
}

export async function recordWriter(
  archive: Archive,
  writer: TimeWindow & { readonly run: string; readonly isOpen: boolean },
): Promise<void> {
  await archive.insert({ table: 'writers', rows: [writer] });
}
