import { readDaysUntilNow } from '../../clickhouse/days/days-until-now.ts';
import { recordRows } from '../../clickhouse/days/read-records.ts';
import { timesOf } from '../../clickhouse/zones/clocks.ts';
import { readClocksAndTexts } from '../../clickhouse/zones/local-texts.ts';
import { answerRows } from '../answers/send-rows.ts';
import { zonesInMemory } from '../answers/zones.ts';
import type { RecordEndpoint } from './endpoint.ts';

/** `GET /v1/history/daily`, `monthly` and `normals` (D72, D73). */
export const answerRecords = (endpoint: RecordEndpoint) =>
  answerRows(
    endpoint,
    async ({ cache }, archive, { values, limit, after }, signal) => {
      const { table } = endpoint;
      const { stations, from, to, tz, isOfDays, order, condition, times } = values;
      const { fields = [...table.fields.keys()] } = values;
      const range = { stations, from, to, timeZone: tz.timeZone, ...(isOfDays && { isOfDays }) };
      const read = await readClocksAndTexts(archive, range, times, zonesInMemory(cache));
      const days = { ...(await readDaysUntilNow(archive, range)), archive, signal };
      const isDescending = order === 'desc';
      const rows = recordRows({ ...days, ...read, table, fields, condition, isDescending, limit, after });
      return { ...read, rows, times: timesOf(range, read.clocks) };
    },
    (count, limit) => `one response holds at most ${limit} records, and these are ${count}`,
  );
