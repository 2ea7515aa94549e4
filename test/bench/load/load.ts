import { addDays, type Day } from '../../../clickhouse/model/day.ts';
import type { Figure, Results } from '../figures.ts';
import { describeMachine } from '../machine.ts';
import { stationCode } from '../stations.ts';
import { stationYear, worldDay } from './iem-bodies.ts';
import { measureLoader } from './measure-loader.ts';
import { measureStages } from './measure-stages.ts';

const [FIRST_YEAR, LAST_YEAR] = [2005, 2024];
const STATIONS = 10;
const WORLD_DAYS = 8;
const FIRST_DAY = `${LAST_YEAR}-06-01` as Day;

/**
 * Reports a second from the first request to the last row of the ledger: the loader as its users start it, from a local
 * replay of IEM that has its responses ready, into an embedded engine. Then each stage alone on one station-year.
 */
export async function benchLoad(): Promise<Results> {
  const stations = Array.from({ length: STATIONS }, (_, n) => stationCode(n));
  return {
    about: describeMachine(),
    sections: [
      {
        title: 'Reports a second from a source into the archive',
        figures: [...(await measureStationYears(stations)), ...(await measureWorldDays())],
      },
      { title: 'Stages, a report', figures: await measureStages(stationCode(0), LAST_YEAR) },
    ],
  };
}

async function measureStationYears(stations: readonly string[]): Promise<readonly Figure[]> {
  const bodies = new Map<string, Buffer>();
  for (const station of stations)
    for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1)
      bodies.set(`${station} ${year}`, stationYear(station, year));
  return measureLoader(
    `station-years of ${STATIONS} stations`,
    `--stations ${stations.join(',')} --from ${FIRST_YEAR}-01-01 --to ${LAST_YEAR + 1}-01-01`,
    (query) => bodies.get(`${query.get('station')} ${query.get('sts')?.slice(0, 4)}`),
  );
}

async function measureWorldDays(): Promise<readonly Figure[]> {
  const days = Array.from({ length: WORLD_DAYS }, (_, n) => addDays(FIRST_DAY, n));
  const bodies = new Map(days.flatMap((day) => [...worldDay(day)]));
  return measureLoader(
    'days of the world',
    `--stations all --from ${FIRST_DAY} --to ${addDays(FIRST_DAY, WORLD_DAYS)}`,
    (query) => bodies.get(`${query.get('sts')?.slice(0, 10)} ${query.get('report_type')}`),
  );
}
