import { setTimeout as sleep } from 'node:timers/promises';
import { authorizationOf } from '../../../clickhouse/embedded/users.ts';
import { recordOf } from '../../support/engine/engine.ts';
import type { LoadSource } from '../loader/load-archive.ts';

type Claim = { readonly station: string; readonly days: readonly string[] };

const CLAIMS = {
  ledger: `SELECT station, arrayMap(day -> toString(toDate(day)), range(toUInt32(firstDay), toUInt32(doneDay))) AS days
    FROM slices`,
  coverage: `SELECT station,
      arrayMap(day -> toString(makeDate(year, day)), arrayConcat(
        bitPositionsToArray(groupBitOr(days)),
        arrayMap(day -> day + 256, bitPositionsToArray(groupBitOr(lateDays))))) AS days
    FROM coverage GROUP BY station, year`,
} as const;

/**
 * What the archive claims and does not have: days that ledger or coverage call done although a report of the source is not
 * in the pages.
 *
 * @param stored `station time` of every report in the pages
 */
export async function falseClaims(
  dataDir: string,
  source: LoadSource,
  stored: ReadonlySet<string>,
): Promise<readonly string[]> {
  const lost = new Map<string, number>();
  for (const report of source.expected) {
    const day = report.slice(0, 'ZXAA 2023-01-01'.length);
    if (!stored.has(report)) lost.set(day, (lost.get(day) ?? 0) + 1);
  }
  const faults: string[] = [];
  for (const [name, query] of Object.entries(CLAIMS)) {
    const claims = await selectAs<Claim>(dataDir, 'loader', query);
    const empty = claims
      .flatMap(({ station, days }) => days.map((day) => `${station} ${day}`))
      .filter((day) => lost.has(day));
    if (empty.length > 0)
      faults.push(`${name}: ${empty.length} days done with reports missing (${empty[0]})`);
  }
  return faults;
}

/** The rows of a statement of a user of the embedded engine. */
export async function selectAs<Row>(
  dataDir: string,
  user: 'loader' | 'admin',
  query: string,
): Promise<readonly Row[]> {
  const text = await sendAs(dataDir, user, `${query} FORMAT JSONEachRow`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

export async function sendAs(dataDir: string, user: 'loader' | 'admin', statement: string): Promise<string> {
  const { port, users } = await recordOf(dataDir);
  const authorization = authorizationOf(users[user]);
  const url = `http://127.0.0.1:${port}/?database=history`;
  const response = await fetch(url, { method: 'POST', body: statement, headers: { authorization } });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** Waits for up to half a minute until a table has no such row. */
export async function untilNone(dataDir: string, rows: string): Promise<boolean> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(200)) {
    const [row] = await selectAs<{ found: number }>(
      dataDir,
      'admin',
      `SELECT toUInt32(count()) AS found FROM ${rows}`,
    );
    if (row?.found === 0) return true;
  }
  return false;
}
