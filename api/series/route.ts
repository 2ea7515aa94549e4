import { readDaysUntilNow } from '../../clickhouse/days/days-until-now.ts';
import { recordRows } from '../../clickhouse/days/read-records.ts';
import { hourlyRows } from '../../clickhouse/hourly.ts';
import { answerRows } from '../answers/send-rows.ts';
import { type DAILY_RECORDS, HOURLY } from './endpoint.ts';

/** `GET /v1/history/hourly` (D46). */
export const answerHourly = answerRows(
  HOURLY,
  (archive, { values: { fields, condition }, limit, after }, { local, times }) =>
    // `fields` has a default, so it is never undefined.
    hourlyRows({ archive, fields: fields as readonly string[], condition, local, ...times, limit, after }),
  (count, limit) =>
    `the range holds ${count} hours of all stations together, and one response at most ${limit}`,
);

/** `GET /v1/history/daily`, `monthly` and `normals` (D72, D73). */
export const answerRecords = (endpoint: typeof DAILY_RECORDS) =>
  answerRows(
    endpoint,
    async (archive, { values, limit, after }, read, signal) => {
      const { table } = endpoint;
      const { condition, order, fields = [...table.fields.keys()] } = values;
      const days = { ...(await readDaysUntilNow(archive, values)), archive, signal };
      const isDescending = order === 'desc';
      return recordRows({ ...days, ...read, table, fields, condition, isDescending, limit, after });
    },
    (count, limit) => `one response holds at most ${limit} records, and these are ${count}`,
  );
