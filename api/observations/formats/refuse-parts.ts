import { JUDGED_ROWS, type StreamRanges } from '../../../clickhouse/observations/stream/stream-range.ts';
import { invalidParameters } from '../../problem.ts';

/** Refuses a range that would be cut, and says why and how to go on (D33). */
export function refuseParts(ranges: StreamRanges): StreamRanges {
  return {
    ...ranges,
    async read(request, signal) {
      const range = await ranges.read(request, signal);
      if (range.last === undefined) return range;
      const limit = request.limit.toLocaleString('en');
      if (range.isShort === true)
        throw wouldBeCut(
          `a condition is judged on at most ${JUDGED_ROWS.toLocaleString('en')} reports for one response, and the range holds more`,
        );
      if (request.condition !== undefined)
        throw wouldBeCut(
          `the condition is true for more than ${limit} records, the most that one response holds`,
        );
      const count = (await ranges.count(request, signal)).toLocaleString('en');
      throw wouldBeCut(`the range holds about ${count} records, and one response at most ${limit}`);
    },
  };
}

/** The problem of an answer that would be cut. */
export function wouldBeCut(why: string) {
  const detail = `must be given: ${why}. Set it and continue with X-Next-Cursor, or ask for fewer stations or a shorter range`;
  return invalidParameters([{ name: 'limit', detail }]);
}
