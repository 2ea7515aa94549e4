import type { StreamRanges } from '../../../clickhouse/observations/stream/stream-range.ts';
import { invalidParameters } from '../../http/request/query-string.ts';

/** Refuses a range that would be cut, with the number of its records and how to go on (D33). */
export function refuseParts(ranges: StreamRanges): StreamRanges {
  return {
    ...ranges,
    async read(request, signal) {
      const range = await ranges.read(request, signal);
      if (range.last === undefined) return range;
      const [count, limit] = [await ranges.count(request, signal), request.limit].map((n) =>
        n.toLocaleString('en'),
      );
      const detail = `must be given: the range holds about ${count} records, and one response at most ${limit}. Set it and continue with X-Next-Cursor, or ask for fewer stations or a shorter range`;
      throw invalidParameters([{ name: 'limit', detail }]);
    },
  };
}
