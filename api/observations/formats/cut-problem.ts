import { CutRangeError, JUDGED_ROWS } from '../../../clickhouse/observations/stream/stream-range.ts';
import { invalidParameters } from '../../problem.ts';

/** The error that a client gets if its range would be cut: why, and how to continue. */
export function toCutProblem(error: unknown, limit: number): unknown {
  if (!(error instanceof CutRangeError)) return error;
  const most = limit.toLocaleString('en');
  if (error.range.isShort === true)
    return wouldBeCut(
      `a condition is judged on at most ${JUDGED_ROWS.toLocaleString('en')} reports for one response, and the range holds more`,
    );
  if (error.rows === undefined)
    return wouldBeCut(
      `the condition is true for more than ${most} records, the most that one response holds`,
    );
  const count = error.rows.toLocaleString('en');
  return wouldBeCut(`the range holds about ${count} records, and one response at most ${most}`);
}

/** The problem of an answer that would be cut. */
export function wouldBeCut(why: string) {
  const detail = `must be given: ${why}. Set it and continue with X-Next-Cursor, or ask for fewer stations or a shorter range`;
  return invalidParameters([{ name: 'limit', detail }]);
}
