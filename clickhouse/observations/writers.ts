import type { Archive } from '../archive.ts';
import { newRun } from '../coverage/ledger/ledger.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { namedStatement, POINT_READ, selectRow, selectRows } from '../statements/select.ts';

/** A loader that writes reports observed in a window, as its row in `writers` says. */
export type OpenWriter = TimeWindow & {
  readonly run: string;
  /** It has not renewed its row, as a loader that writes does: it has ended. */
  readonly hasEnded: boolean;
};

/** A loader that writes renews its row when it is older than this. */
export const RENEW_SECONDS = 1800;

/** A loader that has not renewed its row for this long has ended. */
const ENDED_SECONDS = 2 * RENEW_SECONDS;

/** What loaders other than one have told of their writes. */
export type OtherWriters = {
  /** Those that have not ended in good order. */
  readonly open: readonly OpenWriter[];
  /** Another value after each row of another loader. */
  readonly state: string;
  /** Rows of the list of hidden reports, to which rows are only added. */
  readonly hiddenRows: number;
};

export function readOtherWriters(archive: Archive, run: string): Promise<OtherWriters> {
  const params = { run, ended: ENDED_SECONDS };
  return selectRow(archive, namedStatement('maintenance/other_writers', params, POINT_READ));
}

/** The run of a removal, which no removal has to wait for: it can be repeated after an interruption. */
export const removalRun = (): string => `remove ${newRun()}`;

/**
 * Whether a loader writes reports of a window, or has done so since a time. What it records as done is right only if its
 * reports are not removed meanwhile.
 *
 * @param since seconds since 1970-01-01T00:00:00Z, by the clock of the server
 */
export async function hasLoaders(archive: Archive, window: TimeWindow, since: number): Promise<boolean> {
  const params = { ...window, sinceMs: Math.round(since * 1000), ended: ENDED_SECONDS };
  return (await selectRows(archive, namedStatement('maintenance/active_loaders', params))).length > 0;
}

export async function recordWriter(
  archive: Archive,
  writer: TimeWindow & { readonly run: string; readonly isOpen: boolean },
): Promise<void> {
  await archive.insert({ table: 'writers', rows: [writer] });
}
