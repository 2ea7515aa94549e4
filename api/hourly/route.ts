import { hourlyRows } from '../../clickhouse/hourly.ts';
import { timesOf } from '../../clickhouse/zones/clocks.ts';
import { readClocksAndTexts } from '../../clickhouse/zones/local-texts.ts';
import { answerRows } from '../answers/send-rows.ts';
import { zonesInMemory } from '../answers/zones.ts';
import { HOURLY, hoursOf } from './endpoint.ts';

/** `GET /v1/history/hourly` (D46). Zones of stations are read only for days and local times. */
export const answerHourly = answerRows(
  HOURLY,
  async ({ cache }, archive, { values, limit, after }) => {
    const { stations, from, to, tz, isOfDays, times } = values;
    const range = { stations, from, to, timeZone: tz.timeZone, ...(isOfDays && { isOfDays }) };
    const read =
      isOfDays || times === 'local'
        ? await readClocksAndTexts(archive, range, times, zonesInMemory(cache))
        : { clocks: [], inUtc: [] };
    const covered = timesOf(range, read.clocks);
    return {
      ...read,
      rows: hourlyRows({ archive, ...hoursOf(values), ...read, ...covered, limit, after }),
      times: covered,
    };
  },
  (count, limit) =>
    `the range holds ${count} hours of all stations together, and one response at most ${limit}`,
);
