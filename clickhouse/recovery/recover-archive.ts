import { existsSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Archive, canceledBy } from '../archive.ts';
import { type ArchiveSettings, openArchive } from '../client.ts';
import { deleteSlices, findLostSlices } from '../coverage/ledger/claims.ts';
import {
  type RecordedSlice,
  readSliceHistory,
  rebuildDoneDays,
  rebuildReportHours,
} from '../coverage/ledger/ledger.ts';
import { makeFolder } from '../durable-file.ts';
import { askEngine, lineOf } from '../embedded/engine-socket.ts';
import { ARCHIVE_TIMES, calendarYears, yearWindow } from '../model/time-window.ts';
import { completeTables } from '../observations/copy-rows.ts';
import { deleteRows } from '../observations/maintenance.ts';
import { namedStatement, selectRow, selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';

/** The calendar years of reports that a part can hold; none if it is one of another table. */
function yearsOfPart({ table, partition }: Pick<BrokenPart, 'table' | 'partition'>): readonly number[] {
  if (table === 'observations') return [Number(partition)];
  if (table !== 'station_observations') return [];
  return Array.from({ length: 10 }, (_, n) => Number(partition) * 10 + n);
}

type BrokenPart = Readonly<Record<'table' | 'name' | 'path' | 'partition', string>>;

type Log = (line: string) => void;

/** Counting a year of a large archive and rebuilding its coverage takes long. */
const TURN_TIMEOUT_MS = 3_600_000;

/** A program that meets a damaged part leaves this file in DATA_DIR and ends. The next start reads every byte of the reports. */
const DAMAGE_MARK = 'damaged';
export const DAMAGE_EXIT_CODE = 7;

export function endForRepair(dataDir: string, log: Log, error: unknown): never {
  writeFileSync(join(dataDir, DAMAGE_MARK), `${error}\n`);
  log('a part of the archive is damaged; the program ends, and its next start repairs the archive');
  process.exit(DAMAGE_EXIT_CODE);
}

/**
 * Repairs damage by a power failure or a bad disk. Call it after the migrations and before any read or write.
 *
 * @param settings the login of `history_admin`
 * @returns whether a damaged part may end the program. It may not if a program has ended because of damage that is not found now:
 *   the error then has another cause, and programs would end again and again.
 */
export async function recoverArchive(settings: ArchiveSettings, dataDir: string, log: Log): Promise<boolean> {
  const mark = join(dataDir, DAMAGE_MARK);
  const signal = AbortSignal.timeout(TURN_TIMEOUT_MS);
  const turn = await waitForTurn(dataDir, signal);
  const archive = canceledBy(signal, openArchive(settings));
  try {
    const isMarked = existsSync(mark);
    await detachDamagedParts(archive, log, isMarked ? 'all' : 'small tables');
    const moved = await replaceBrokenParts(archive, dataDir, log);
    await rm(mark, { force: true });
    if (isMarked) log(moved === 0 ? 'no damaged part was found' : 'the archive is repaired');
    return !isMarked || moved > 0;
  } finally {
    await archive.close();
    turn.destroy();
  }
}

/** Programs that start at the same time take turns. A turn lasts until the connection closes. */
async function waitForTurn(dataDir: string, signal: AbortSignal): Promise<Socket> {
  for (;;) {
    const turn = await askEngine(dataDir, 'recovery');
    if (turn && (await lineOf(turn, TURN_TIMEOUT_MS)) !== undefined) return turn;
    turn?.destroy();
    // The engine has ended and is replaced.
    await sleep(100, undefined, { signal });
  }
}

/** After this time, other programs that read the archive no longer use removed coverage (`CoverageStateCache`). */
const CLAIMS_KNOWN_MS = 1500;

/** ClickHouse notices damage only when it reads the file: each statement over such a part fails, a merge of it too. */
async function detachDamagedParts(archive: Archive, log: Log, checked: 'all' | 'small tables') {
  const partitions = await selectRows<Partition>(archive, namedStatement('server/partitions'));
  for (const { table, partition } of partitions) {
    const years = yearsOfPart({ table, partition });
    if ((years.length > 0 || table === 'days') && checked !== 'all') continue;
    const query = fillSql(readStatement('server/check_partition'), { table, partition });
    const parts = await selectRows<CheckedPart>(archive, { query });
    const damaged = parts.filter(({ is_passed: isSound }) => !isSound);
    for (const { part_path: part, message } of damaged) {
      log(`the part ${part} of ${table} is damaged: ${message.slice(0, MESSAGE_LENGTH)}`);
      // First, so that nobody takes the days of lost reports for done.
      for (const year of years) await clearCoverage(archive, year);
      if (years.length > 0) await sleep(CLAIMS_KNOWN_MS);
      await archive.command({ query: fillSql(readStatement('server/detach_part'), { table, part }) });
    }
  }
}

type Partition = { readonly table: string; readonly partition: string };

type CheckedPart = { readonly part_path: string; readonly is_passed: number; readonly message: string };

/** Characters of the message of ClickHouse that are logged; the rest explains what can damage a disk. */
const MESSAGE_LENGTH = 200;

/**
 * Copies what broken parts held of one table of reports from the other, opens the days of reports that both have lost, makes other
 * tables again, and moves the parts to `DATA_DIR/broken`, so that the next start does not find them.
 */
async function replaceBrokenParts(archive: Archive, dataDir: string, log: Log): Promise<number> {
  const parts = await selectRows<BrokenPart>(archive, namedStatement('server/broken_parts'));
  if (parts.length === 0) return 0;
  const aside = join(dataDir, 'broken');
  await makeFolder(aside);
  const yearsOfReports = new Set(parts.flatMap(yearsOfPart));
  for (const year of yearsOfReports)
    for (const [table, rows] of await completeTables(archive, yearWindow(year)))
      log(`${rows} rows of ${table} in ${year} are written again from the other table of reports`);
  for (const year of yearsOfReports)
    for (const { source, station, firstDay, doneDay } of await reopenDays(archive, year))
      log(
        `reports of ${station} of ${source} from ${firstDay} to ${doneDay} are lost; load these days again`,
      );
  const tables = new Set(parts.map(({ table }) => table));
  const hadDays =
    (yearsOfReports.size > 0 || tables.has('days') || tables.has('day_months')) &&
    (await forgetDays(archive));
  // Without lost rows of the ledger, days are loaded again.
  if (tables.has('coverage')) {
    log('coverage is made again from the ledger and the reports');
    for (const year of calendarYears({ from: ARCHIVE_TIMES.from, to: Math.floor(Date.now() / 1000) + 1 }))
      if (!yearsOfReports.has(year)) await rebuildCoverage(archive, year);
  }
  if (tables.has('stations')) {
    log('stations are listed again; the next load asks for their periods of record');
    await archive.command(namedStatement('ledger/list_stations_again'));
  }
  if (tables.has('station_descriptions'))
    log('names and positions of stations are lost: run `npm run load -- fetch-stations`');
  for (const { table, name, path } of parts) {
    const target = join(aside, `${table}.${name}.${Date.now()}`);
    log(`the part ${name} of ${table} is broken; moved to ${target}`);
    await rename(path, target);
  }
  if (hadDays)
    log('days are computed for each request until `npm run load -- redecode` has stored them again');
  return parts.length;
}

/** Discards all stored days, because they may differ from what the remaining reports say. */
async function forgetDays(archive: Archive): Promise<boolean> {
  const { months } = await selectRow<{ months: number }>(archive, namedStatement('days/count_months'));
  if (months > 0) await deleteRows(archive, 'day_months', '1', {});
  return months > 0;
}

/**
 * Deletes slices of a calendar year for which the archive holds fewer reports than the ledger says, so the next load plans
 * their days, and rebuilds the coverage of the year.
 *
 * Claims are removed first, so an interruption leaves days not done, never done without their reports; repeat it then. No
 * loader may write and no page may be served meanwhile.
 */
export async function reopenDays(archive: Archive, year: number): Promise<readonly RecordedSlice[]> {
  await clearCoverage(archive, year);
  const lost = await findLostSlices(archive, year, await readSliceHistory(archive, year, []));
  await deleteSlices(archive, lost);
  await rebuildCoverage(archive, year);
  return lost;
}

/** Until it resolves, the view claims less than the archive holds; repeat it after an interruption. No loader may write. */
export async function rebuildCoverage(archive: Archive, year: number): Promise<void> {
  await clearCoverage(archive, year);
  // Reports first: days are done only once the view knows their reports.
  await rebuildReportHours(archive, yearWindow(year));
  await rebuildDoneDays(archive, year);
}

async function clearCoverage(archive: Archive, year: number): Promise<void> {
  await deleteRows(archive, 'coverage', 'year = {year:UInt16}', { year });
}
