import assert from 'node:assert/strict';
import type { Archive } from '../../../clickhouse/archive.ts';
import { FIRST_DAY } from '../../../clickhouse/model/day.ts';
import { findGaps } from '../../../loader/checks/gaps.ts';
import { formatGaps } from '../../../loader/commands/gaps.ts';
import { readStatus } from '../../../loader/commands/status.ts';
import { OBSERVATIONS, startApi } from '../api/api.ts';
import { day } from '../archive/ledger.ts';

/** Two archives are the same. Their pages are long, so only the first difference is shown. */
export async function assertSameArchive(
  found: Archive,
  expected: Archive,
  stations: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const [one, other] = [await describeArchive(found, stations), await describeArchive(expected, stations)];
  assert.deepEqual(Object.keys(one), Object.keys(other));
  for (const [name, text] of Object.entries(one)) {
    const wanted = other[name] ?? '';
    const at = [...text].findIndex((character, n) => character !== wanted[n]);
    const show = (whole: string) => (text === wanted ? '' : whole.slice(Math.max(0, at - 100), at + 200));
    assert.equal(show(text), show(wanted), name);
  }
  return other;
}

/** Everything that users and operators see of an archive, byte for byte, by name. */
export async function describeArchive(
  client: Archive,
  stations: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const now = new Date('2026-06-01T00:00:00Z');
  const scope = { stations: [], firstDay: FIRST_DAY, endDay: day('2026-05-01') };
  const seen: Record<string, string> = {
    status: JSON.stringify((await readStatus(client, [], now)).stations, undefined, 1),
    gaps: [...formatGaps(await findGaps(client, scope, now))].join('\n'),
  };
  const range = `stations=${stations.join()}&from=2022-01-01T00:00:00Z&to=2026-01-01T00:00:00Z`;
  const api = await startApi(client);
  try {
    const read = async (target: string) =>
      (await (await api.get(target)).text()).replace(/"remaining":\d+/, '"remaining":0');
    seen.csv = await read(`${OBSERVATIONS}.csv?${range}&include=raw,decoded`);
    seen.coverage = await read(`/v1/history/coverage?${range}`);
    seen.stations = await read('/v1/history/stations?limit=1000');
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await read(
        `${OBSERVATIONS}?${range}&include=raw,decoded&limit=100${cursor && `&cursor=${cursor}`}`,
      );
      seen[`page ${cursor}`] = page;
      cursor = JSON.parse(page).meta.nextCursor;
    }
  } finally {
    await api.stop();
  }
  return seen;
}
