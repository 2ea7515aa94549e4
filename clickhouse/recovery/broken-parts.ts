import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { rebuildCoverage } from '../coverage/ledger/rebuild-coverage.ts';
import { reopenDays } from '../coverage/ledger/reopen-days.ts';
import { makeFolder } from '../durable-file.ts';
import { type Day, dayStart, FIRST_DAY, yearOf } from '../model/day.ts';
import { selectRows } from '../statements/select.ts';
import { readSqlFile } from '../statements/sql-file.ts';

type BrokenPart = {
  readonly table: string;
  readonly name: string;
  readonly path: string;
  /** Of `observations`: the calendar year. */
  readonly partition: string;
};

const BROKEN_PARTS = readSqlFile('recovery/broken_parts');

/**
 * Opens the days again whose reports were in parts that ClickHouse could not read at its start, and moves these parts
 * to `DATA_DIR/broken`, so that the next start does not find them. Lost coverage is made again from ledger and reports.
 * Nothing has to replace rows of other tables: a day without them is not done, or a later load brings them.
 */
export async function reopenDaysOfBrokenParts(
  archive: Archive,
  dataDir: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const parts = await selectRows<BrokenPart>(archive, { query: BROKEN_PARTS }, signal);
  if (parts.length === 0) return;
  const aside = join(dataDir, 'broken');
  await makeFolder(aside);
  const ofReports = parts.filter(({ table }) => table === 'observations');
  const yearsOfReports = new Set(ofReports.map(({ partition }) => Number(partition)));
  for (const year of yearsOfReports) {
    const range = { firstDay: `${year}-01-01` as Day, endDay: `${year + 1}-01-01` as Day };
    for (const { source, station, firstDay, endDay } of await reopenDays(archive, range, signal))
      log(`reports of ${station} of ${source} from ${firstDay} to ${endDay} are lost; load these days again`);
  }
  if (parts.some(({ table }) => table === 'coverage')) {
    log('coverage is made again from the ledger and the reports');
    for (const year of archiveYears())
      if (!yearsOfReports.has(year)) await rebuildCoverage(archive, year, signal);
  }
  for (const { table, name, path } of parts) {
    const target = join(aside, `${table}.${name}`);
    log(`the part ${name} of ${table} is broken; moved to ${target}`);
    await rename(path, target);
  }
}

/** Every calendar year of which the archive can have reports. */
function archiveYears(): readonly number[] {
  const first = yearOf(dayStart(FIRST_DAY));
  return Array.from({ length: new Date().getUTCFullYear() - first + 1 }, (_, n) => first + n);
}
