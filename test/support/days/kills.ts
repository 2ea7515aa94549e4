import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { Archive } from '../../../clickhouse/archive.ts';
import { newRun } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { selectRows } from '../../../clickhouse/statements/select.ts';
import { normalize } from '../../../loader/pipeline/normalize.ts';
import { MinuteHistogram } from '../../../loader/pipeline/report-type.ts';
import { loadReports } from '../../../loader/pipeline/write.ts';
import { Writer } from '../../../loader/pipeline/writer.ts';
import { areStored, assertServedDays } from './served-days.ts';

/** The inserts of a load, in their order: the table, and which insert into it. The loader is killed once it is stored. */
export const KILLS = [
  ['before its marks', 'writers', 1],
  ['after its marks', 'day_months', 1],
  ['after one table of reports', 'observations', 1],
  ['after both tables', 'station_observations', 1],
  ['after the days', 'days', 1],
  ['after its marks are closed', 'day_months', 2],
] as const;

type Kill = (typeof KILLS)[number];

/** An archive whose loader is killed after the nth insert into a table. */
export function killedAfter(archive: Archive, [, table, nth]: Kill): Archive {
  let [left, isDead]: [number, boolean] = [nth, false];
  const guard = async (name: string, store: () => Promise<void>) => {
    if (!isDead) await store();
    if (!isDead && name === table) left -= 1;
    isDead ||= left === 0;
    if (isDead) throw new Error('killed');
  };
  return {
    ...archive,
    async insert(insert, signal) {
      if (!(insert.rows instanceof Readable))
        return guard(insert.table, () => archive.insert(insert, signal));
      // The second table gets its last row once the first is stored.
      const chunks: Buffer[] = [];
      insert.rows.on('error', () => {});
      for await (const chunk of insert.rows) chunks.push(chunk);
      await guard(insert.table, () => archive.insert({ ...insert, rows: Readable.from(chunks) }, signal));
    },
    insertFile: (statement, bytes, signal) =>
      guard('days', () => archive.insertFile(statement, bytes, signal)),
  };
}

/** A report of each station on a day of each of three months. */
async function load(archive: Archive, stations: readonly string[], day: number): Promise<void> {
  const rows = stations.flatMap((station) =>
    [0, 1, 2].map((month) => ({
      station,
      filedAt: Date.UTC(2024, month, day, 11, 51) / 1000,
      text: `${station} ${day}1151Z 18004KT 10SM CLR ${day}/07 A2992`,
    })),
  );
  const writer = new Writer(archive, newRun());
  const context = { archive, source: 'iem' as const, writer, minutes: new MinuteHistogram() };
  await loadReports(context, normalize({ rows, skipped: {} }), { scope: 'few stations' });
  await writer.close();
}

/** As if what loaders have recorded were two hours old, or the clock of the server had been set back by two hours since. */
export async function passTwoHours(
  archive: Archive,
  truncate: (table: string) => Promise<unknown>,
  direction: '-' | '+' = '-',
) {
  for (const table of ['writers', 'day_months', 'days']) {
    const query = `SELECT * REPLACE (toString(at ${direction} INTERVAL 2 HOUR) AS at) FROM ${table} FINAL`;
    const rows = await selectRows<object>(archive, { query });
    await truncate(table);
    await archive.insert({ table, rows, settings: { date_time_input_format: 'best_effort' } });
  }
}

/** Days of a loader that was killed are computed from the reports that it has stored, and the next loader stores them. */
export async function assertSurvives(
  archive: Archive,
  stations: readonly string[],
  kill: Kill,
  truncate: (table: string) => Promise<unknown>,
): Promise<void> {
  await load(archive, stations, 10);
  assert.ok(await areStored(archive, stations), 'stored');
  await assert.rejects(load(killedAfter(archive, kill), stations, 11), new Error('killed'));
  await assertServedDays(archive, stations, kill[0]);
  await passTwoHours(archive, truncate);
  await load(archive, stations, 12);
  await assertServedDays(archive, stations, `${kill[0]}, then another load`);
  assert.ok(await areStored(archive, stations), 'stored again');
}
