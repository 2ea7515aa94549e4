import { parseTime } from '../../clickhouse/model/day.ts';
import type { RowFormat, RowParser } from './format.ts';
import { rowOfText, UNREADABLE_ROW } from './parse-rows.ts';
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

const TIME = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d)$/;

/** A time, a report of one or more lines, an empty line. Duplicates are usual. */
const CYCLE_FORMAT: RowFormat = {
  name: 'a time such as 2024/01/31 12:51 before each report',
  open: (first) => {
    if (!TIME.test(first.trim())) return undefined;
    let [filedAt, hasOwnTime, text] = [Number.NaN, false, ''];
    const take = () => {
      const report = text;
      text = '';
      return report === '' ? undefined : rowOfText(report, { filedAt });
    };
    const parse = (line: string): ReturnType<RowParser> => {
      const content = line.trim();
      if (content === '') return take();
      const [, year, month, day, time] = TIME.exec(content) ?? [];
      if (time !== undefined) {
        const before = take();
        filedAt = parseTime(`${year}-${month}-${day}T${time}:00Z`);
        hasOwnTime = !Number.isNaN(filedAt);
        return before ?? (hasOwnTime ? undefined : { reason: UNREADABLE_ROW });
      }
      // A line without a time before it is a report only where it says so itself.
      const isReport = hasOwnTime || text !== '' || 'text' in rowOfText(content, { filedAt });
      if (Number.isNaN(filedAt) || !isReport || content.startsWith('<')) return { reason: UNREADABLE_ROW };
      hasOwnTime = false;
      text += text === '' ? content : ` ${content}`;
      return undefined;
    };
    return Object.assign(parse, { end: take });
  },
  isRow: () => true,
  hasEmptyLines: true,
};
