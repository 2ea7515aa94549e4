import type { Archive } from '../archive.ts';
import type { Condition } from '../conditions/condition.ts';
import { POINT_READ } from '../statements/query-settings.ts';
import { selectRows } from '../statements/select.ts';
import { fillSql, readSqlFile } from '../statements/sql-file.ts';
import { bindSelection, meets, type RowRange, type RowSelection, selectedSql } from './row-selection.ts';

const MATCHING_MINUTES = readSqlFile('observations/matching_minutes');

/** Minutes are a parameter of a statement, which is part of a URL. */
export const MOST_NAMED_MINUTES = 1000;

/** The part of a window in which records can meet a condition. */
type MatchingMinutes = {
  /** What a statement for the records of the window has to read; `undefined` where no record can meet the condition. */
  readonly rows: Pick<RowRange, 'window' | 'minutes'> | undefined;
  /** The window was searched so far: to its end, or earlier where it has as many minutes as asked. */
  readonly to: number;
};

/**
 * Finds the first minutes of a window in which a record can meet the condition, by the fields that it names alone.
 *
 * @param most minutes at most
 */
export async function findMatchingMinutes(
  client: Archive,
  selection: RowSelection & { readonly condition: Condition },
  most: number,
  signal: AbortSignal,
): Promise<MatchingMinutes> {
  const query = fillSql(MATCHING_MINUTES, {
    selected: selectedSql(selection),
    meets: meets(selection.condition).sql,
  });
  const { params, ofStations } = bindSelection(selection);
  const select = { query, params: { ...params, rows: most }, ofStations, settings: POINT_READ };
  const minutes = (await selectRows<[number]>(client, select, signal, 'array')).map(([minute]) => minute);
  const [first, last] = [minutes[0], minutes.at(-1)];
  const { to } = selection.window;
  if (first === undefined || last === undefined) return { rows: undefined, to };
  const window = { from: first, to: last + 1 };
  return {
    rows: minutes.length <= MOST_NAMED_MINUTES ? { window, minutes } : { window },
    to: minutes.length < most ? to : window.to,
  };
}
