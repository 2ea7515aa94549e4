import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { type Day, dayStart, parseDay } from '../../../clickhouse/model/day.ts';
import { findColumns } from '../csv.ts';
import { parseRows, type RowFormat, UNREADABLE_ROW } from '../parse-rows.ts';
import { type Body, type ParsedBody, type SkipReason, type Slice, windowOf } from '../source.ts';
import { toIcaoCode } from './station-list.ts';

/** A body that is cut between two lines looks complete, but a station seldom is silent for so long. */
const MAX_SILENCE_SECONDS = 3 * 3600;
/** Over all stations there is a report every minute. */
const MAX_SILENCE_SECONDS_ALL_STATIONS = 600;

const COLUMNS = ['station', 'valid', 'metar'] as const;

/**
 * The CSV of IEM's `asos.py`, rows in order of time. A file may have other columns between these. No value holds a comma:
 * IEM writes a blank for each. `format=comma` has five lines `#DEBUG: ...` before the header.
 * Format: pylib/iemweb/request/asos.py of github.com/akrherz/iem.
 */
export const ASOS_FORMAT: RowFormat = {
  name: `rows of ${COLUMNS.join(', ')}`,
  open: (line) => {
    const names = line.split(',');
    const columns = findColumns(names, COLUMNS);
    if (columns === undefined) return undefined;
    const parseValid = validParser();
    const icaoCodeOf = icaoCodeCache();
    return (row) => {
      const values = row.split(',');
      const filedAt = values.length === names.length ? parseValid(values[columns.valid] ?? '') : undefined;
      if (filedAt === undefined) return { reason: UNREADABLE_ROW };
      const station = icaoCodeOf(values[columns.station] ?? '');
      const text = values[columns.metar] ?? '';
      const reason = skipReasonOf(text);
      return reason === undefined
        ? { station, filedAt, text: text.replace(/ IEM_GHCNH$/, '') }
        : { station, filedAt, reason };
    };
  },
};

/** IEM sends `200 OK` before the first row and only logs a later failure, so a response that is cut can look complete. */
export function parseAsos(body: Body, slice: Slice, maxRows: number): Promise<ParsedBody> {
  return parseRows(body, slice, ASOS_FORMAT, {
    window: windowOf(slice),
    maxRows,
    isInOrderOfTime: true,
    maxSilenceSeconds:
      slice.station === ALL_STATIONS ? MAX_SILENCE_SECONDS_ALL_STATIONS : MAX_SILENCE_SECONDS,
  });
}

/** Parses `YYYY-MM-DD HH:MM` in UTC. Rows are in order of time, so a day is parsed once. */
function validParser(): (text: string) => number | undefined {
  let day = '';
  let midnight: number | undefined;
  return (text) => {
    const match = /^(\d{4}-\d\d-\d\d) ([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
    if (match === null) return undefined;
    if (match[1] !== day) {
      day = match[1] ?? '';
      const known: Day | undefined = parseDay(day);
      midnight = known === undefined ? undefined : dayStart(known);
    }
    return midnight === undefined ? undefined : midnight + Number(match[2]) * 3600 + Number(match[3]) * 60;
  };
}

/**
 * Why the text of a row is not a report; `undefined` where it is one. IEM builds rows from other data; no station has
 * issued them. `IEM_GHCNH` also follows issued reports; only those that begin with the keyword and AUTO are rebuilt.
 */
function skipReasonOf(text: string): SkipReason | undefined {
  // `M` is IEM's missing value where the request does not say `missing=empty`.
  if (text === '' || text === 'M') return 'empty text';
  if (text.endsWith(' MADISHF')) return 'synthetic 5-minute data (MADISHF)';
  if (text.endsWith(' IEM_DS3505')) return 'rebuilt from fields (IEM_DS3505)';
  const isRebuilt = text.endsWith(' IEM_GHCNH') && /^METAR [A-Z0-9]{4} \d{6}Z AUTO\b/.test(text);
  return isRebuilt ? 'rebuilt from fields (IEM_GHCNH)' : undefined;
}

/** Returns the same string object for every row of a station: a day of all stations has a quarter of a million rows. */
function icaoCodeCache(): (id: string) => string {
  const codes = new Map<string, string>();
  return (id) => {
    const known = codes.get(id);
    if (known !== undefined) return known;
    const code = toIcaoCode(id);
    codes.set(id, code);
    return code;
  };
}
