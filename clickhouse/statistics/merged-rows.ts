import type { Calendar, CalendarHours } from './calendar.ts';
import { ABSENT, type Cell, type Column } from './column.ts';

/** A row of the engine. */
export type CountedRow = {
  /** The number of the station. */
  readonly station: number;
  readonly groups: readonly Cell[];
  /** The reports that count. */
  readonly n: Cell;
} & RowValues;

/** The values of a row. */
export type RowValues = {
  /** As the engine printed them, with tabs between them: there are too many to make a text of each. */
  readonly values: string;
  /** Those that are not among them, by their places. */
  readonly computed?: readonly (Cell | undefined)[] | undefined;
};

/** A row of an answer: station, groups, the reports that count, and expected hours; then the values. */
export type AnswerRow = { readonly head: readonly Cell[] } & RowValues;

/** The values of a row as texts. */
export function valuesIn({ values, computed = [] }: RowValues, count: number): readonly Cell[] {
  const others = values.split('\t');
  const cells: Cell[] = [];
  for (let n = 0, at = 0; n < count; n += 1) cells.push(computed[n] ?? (others[at++] as Cell));
  return cells;
}

export type AnswerShape = {
  /** In the order of the answer. */
  readonly stations: readonly string[];
  readonly groups: readonly Column[];
  readonly values: readonly Column[];
  readonly calendar: Calendar;
  /** The places of its units among the groups. */
  readonly calendarAt: readonly number[];
  /** The expected hours of a station, by its number. */
  readonly hoursOf: (station: number) => CalendarHours;
};

/**
 * The rows of an answer: those of the engine with the hours that are expected in them, and, where all groups are those of
 * the calendar, also its groups without reports (D45). Both are in the order of stations and groups.
 */
export class MergedRows {
  readonly #shape: AnswerShape;
  readonly #withoutReports: string;
  readonly #groups: Generator<number, undefined>;
  #next: number | undefined;

  constructor(shape: AnswerShape) {
    this.#shape = shape;
    this.#withoutReports = shape.values.map(({ type }) => (type === 'Int64' ? '0' : ABSENT)).join('\t');
    this.#groups = groupsOf(shape);
    this.#next = this.#groups.next().value;
  }

  /** The rows up to the last of these, which follow those of earlier calls. */
  *upTo(rows: Iterable<CountedRow>): Generator<AnswerRow, undefined> {
    const { calendar, calendarAt } = this.#shape;
    for (const { station, groups, n, values, computed } of rows) {
      const code = calendar.codeOf(calendarAt.map((at) => Number(groups[at])));
      const place = station * calendar.size + code;
      yield* this.#before(place);
      if (this.#next === place) this.#next = this.#groups.next().value;
      yield { head: this.#head(station, code, groups, n), values, computed };
    }
  }

  /** The rows after those of the engine. */
  rest(): Generator<AnswerRow, undefined> {
    return this.#before(Number.POSITIVE_INFINITY);
  }

  *#before(place: number): Generator<AnswerRow, undefined> {
    const { calendar } = this.#shape;
    while (this.#next !== undefined && this.#next < place) {
      const [station, code] = [Math.floor(this.#next / calendar.size), this.#next % calendar.size];
      const groups = calendar.numbersOf(code).map(String);
      yield { head: this.#head(station, code, groups, '0'), values: this.#withoutReports };
      this.#next = this.#groups.next().value;
    }
  }

  #head(station: number, code: number, groups: readonly Cell[], n: Cell): readonly Cell[] {
    const { stations, groups: columns, hoursOf } = this.#shape;
    const printed = groups.map((group, at) => columns[at]?.print?.(group) ?? group);
    return [stations[station] as Cell, ...printed, n, String(hoursOf(station).get(code) ?? 0)];
  }
}

/** The groups that an answer has without reports too, each as one number: that of the station, then the code of the group. */
function* groupsOf({
  stations,
  groups,
  calendar,
  calendarAt,
  hoursOf,
}: AnswerShape): Generator<number, undefined> {
  if (calendarAt.length < groups.length) return;
  for (const station of stations.keys())
    for (const code of hoursOf(station).keys()) yield station * calendar.size + code;
}
