import { readDaysUntilNow } from '../../clickhouse/days/days-until-now.ts';
import { recordRows } from '../../clickhouse/days/read-records.ts';
import { answerRows } from '../answers/send-rows.ts';
import type { RecordEndpoint } from './endpoint.ts';

/** `GET /v1/history/daily`, `monthly` and `normals` (D72, D73). */
export const answerRecords = (endpoint: RecordEndpoint) =>
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
