import assert from 'node:assert/strict';
import type { Archive } from '../../../clickhouse/archive.ts';
import { computeDays } from '../../../clickhouse/days/compute-days.ts';
import { daySource, readDays } from '../../../clickhouse/days/day-source.ts';
import { DAY_FIELDS } from '../../../clickhouse/days/fields.ts';
import { readClocks } from '../../../clickhouse/zones/clocks.ts';

const [DECEMBER, JANUARY, APRIL] = [19_692, 19_723, 19_814];
const MONTHS = { first: 2023 * 12 + 11, end: 2024 * 12 + 3 };
const DAYS = 122;

const clocksOf = (archive: Archive, stations: readonly string[]) =>
  readClocks(archive, {
    stations,
    from: Date.UTC(2023, 9) / 1000,
    to: Date.UTC(2024, 5) / 1000,
    timeZone: { kind: 'station', isStandard: true },
  });

/** Every day that is served is the one that the reports of the archive give. */
export async function assertServedDays(
  archive: Archive,
  stations: readonly string[],
  state: string,
): Promise<void> {
  const { clocks } = await clocksOf(archive, stations);
  const served = new Map<string, string>();
  const now = Date.now() / 1000;
  const asked = { archive, first: DECEMBER, end: APRIL, now, clocks };
  for (const [station, days] of await readDays(asked, DAY_FIELDS))
    for (const row of days.date.keys())
      served.set(`${station} ${days.date[row]}`, JSON.stringify(cellsOf(days, row)));
  const expected = new Map<string, string>();
  for await (const { station, days } of computeDays(archive, clocks, () => [MONTHS], now))
    for (const row of days.date.keys())
      expected.set(`${station} ${days.date[row]}`, JSON.stringify(cellsOf(days, row)));
  assert.equal(served.size, stations.length * DAYS, state);
  assert.deepEqual(new Map([...served].sort()), new Map([...expected].sort()), state);
}

function cellsOf(days: Readonly<Record<string, ArrayLike<number>>>, row: number) {
  const names = ['n', 'expected', ...DAY_FIELDS.map(({ name }) => name)];
  return names.map((name) => [name, days[name]?.[row]]).filter(([, value]) => !Number.isNaN(value));
}

/** Whether the days of stations from January to March 2024 are read as they are stored. */
export async function areStored(archive: Archive, stations: readonly string[]): Promise<boolean> {
  const { clocks } = await clocksOf(archive, stations);
  const asked = { archive, first: JANUARY, end: APRIL, now: Date.now() / 1000, clocks };
  return (await daySource(asked, [])).file === undefined;
}
