import { type Day, dayStart, parseDay } from '../../../clickhouse/model/day.ts';
import type { SkipReason } from '../skip-reasons.ts';

/** Where the columns are; a file may have others between them. */
export type AsosColumns = {
  readonly station: number;
  readonly valid: number;
  readonly metar: number;
  readonly count: number;
};

export type AsosRow = { readonly id: string; readonly filedAt: number; readonly text: string };

export type ValidParser = (text: string) => number | undefined;

/** `undefined` where the line is not the header. */
export function findColumns(line: string): AsosColumns | undefined {
  const names = line.split(',');
  const columns = {
    station: names.indexOf('station'),
    valid: names.indexOf('valid'),
    metar: names.indexOf('metar'),
  };
  const isHeader = columns.station >= 0 && columns.valid >= 0 && columns.metar >= 0;
  return isHeader ? { ...columns, count: names.length } : undefined;
}

/** No value holds a comma: IEM writes a blank for each. */
export function parseRow(line: string, columns: AsosColumns, parseValid: ValidParser): AsosRow | undefined {
  const values = line.split(',');
  if (values.length !== columns.count) return undefined;
  const id = values[columns.station] ?? '';
  const filedAt = parseValid(values[columns.valid] ?? '');
  return filedAt === undefined ? undefined : { id, filedAt, text: values[columns.metar] ?? '' };
}

/** Parses `YYYY-MM-DD HH:MM` in UTC. Rows are in order of time, so a day is parsed once. */
export function validParser(): ValidParser {
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

/** Why the text of a row is not a report; `undefined` where it is one. */
export function skipReasonOf(text: string): SkipReason | undefined {
  // `M` is IEM's missing value where the request does not say `missing=empty`.
  if (text === '' || text === 'M') return 'empty text';
  return syntheticReasonOf(text);
}

/**
 * IEM builds rows from other data; no station has issued them. `IEM_GHCNH` also follows issued reports; only
 * those that begin with the keyword and AUTO are rebuilt from fields.
 */
function syntheticReasonOf(text: string): SkipReason | undefined {
  if (text.endsWith(' MADISHF')) return 'synthetic 5-minute data (MADISHF)';
  if (text.endsWith(' IEM_DS3505')) return 'rebuilt from fields (IEM_DS3505)';
  const isRebuilt = text.endsWith(' IEM_GHCNH') && /^METAR [A-Z0-9]{4} \d{6}Z AUTO\b/.test(text);
  return isRebuilt ? 'rebuilt from fields (IEM_GHCNH)' : undefined;
}

export function withoutIemLabel(text: string): string {
  return text.replace(/ IEM_GHCNH$/, '');
}
