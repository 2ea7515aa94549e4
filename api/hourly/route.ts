import { hourlyRows } from '../../clickhouse/hourly.ts';
import { answerRows } from '../answers/send-rows.ts';
import { HOURLY, hoursOf } from './endpoint.ts';

/** `GET /v1/history/hourly` (D46). */
export const answerHourly = answerRows(
  HOURLY,
  (archive, { values, limit, after }, { local, times }) =>
    hourlyRows({ archive, ...hoursOf(values), local, ...times, limit, after }),
  (count, limit) =>
    `the range holds ${count} hours of all stations together, and one response at most ${limit}`,
);
