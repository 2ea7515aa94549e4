import type { Archive } from './archive.ts';
import { selectRow } from './statements/select.ts';
import { readStatement } from './statements/sql.ts';

const SERVER_TIME = readStatement('server/server_time');

/** The clock of the server, in seconds since 1970-01-01T00:00:00Z. */
export async function readServerTime(archive: Archive): Promise<number> {
  return (await selectRow<{ time: number }>(archive, { query: SERVER_TIME })).time;
}
