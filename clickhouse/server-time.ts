import type { Archive } from './archive.ts';
import { POINT_READ, selectRow } from './statements/select.ts';
import { readStatement } from './statements/sql.ts';

const SERVER_TIME = readStatement('server/server_time');

/** The clock of the server, in seconds since 1970-01-01T00:00:00Z, to the millisecond. */
export async function readServerTime(archive: Archive): Promise<number> {
  return (await selectRow<{ time: number }>(archive, { query: SERVER_TIME, settings: POINT_READ })).time;
}

/** The earlier of two clocks, that of this machine and that of the server: no day is old enough by one of them alone. */
export async function readEarlierTime(archive: Archive, own: Date): Promise<Date> {
  return new Date(Math.min(own.getTime(), (await readServerTime(archive)) * 1000));
}
