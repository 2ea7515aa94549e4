import { parseTime } from '../../clickhouse/model/day.ts';
import { type RowFormat, rowOfText, UNREADABLE_ROW } from './parse-rows.ts';
import type { FileSource } from './source.ts';

/**
 * The cycles of the National Weather Service (https://tgftp.nws.noaa.gov/data/observations/metar/cycles/): the reports of an
 * hour of all stations, for a day. Its texts lack the keywords METAR and SPECI, so they rank with those of IEM.
 */
export function tgftp(): FileSource {
  return {
    kind: 'files',
    source: 'tgftp',
    publisher: 'NOAA NWS',
    rank: 2,
    sendsTypes: false,
    fileFormats: () => [CYCLE_FORMAT],
  };
}

const TIME = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d)\s*$/;

/** A time, a report, an empty line. Duplicates are usual. */
const CYCLE_FORMAT: RowFormat = {
  name: 'a time such as 2024/01/31 12:51 before each report',
  open: (first) => {
    if (!TIME.test(first)) return undefined;
    let filedAt = Number.NaN;
    return (line) => {
      const [, year, month, day, time] = TIME.exec(line) ?? [];
      if (time !== undefined) {
        filedAt = parseTime(`${year}-${month}-${day}T${time}:00Z`);
        return Number.isNaN(filedAt) ? { reason: UNREADABLE_ROW } : undefined;
      }
      if (Number.isNaN(filedAt) || line.startsWith('<')) return { reason: UNREADABLE_ROW };
      return rowOfText(line.trim(), { filedAt });
    };
  },
  isRow: () => true,
};
