import { groupBy } from '../group-by.ts';
import { rounded } from './means.ts';
import { MONTH_VALUES, type Month } from './months.ts';

/** A value of a mean year. */
type NormalCell = {
  /** NaN where it is absent. */
  readonly value: number;
  /** The years that count. */
  readonly years: number;
  /** Of an extreme, the first day that has it, counted from 1970-01-01. */
  readonly date?: number;
};

/** A month of a mean year, or the year. */
export type Normal = {
  /** 1 to 12; absent for the year. */
  readonly month?: number;
  readonly n: number;
  readonly expected: number;
  /** By `MONTH_VALUES`. */
  readonly cells: ReadonlyMap<string, NormalCell>;
};

const ABSENT: NormalCell = { value: Number.NaN, years: 0 };

/**
 * The mean year of a station: its months, and the year (D55, D77). Means count the years whose month has a mean, sums and numbers
 * of days those in which every day of the month is known; extremes are those of all days.
 */
export function normalsOf(months: readonly Month[]): readonly Normal[] {
  if (months.length === 0) return [];
  const normals = [...groupBy(months, ({ month }) => (month % 12) + 1)]
    .sort(([one], [other]) => one - other)
    .map(([month, ofYears]) => ({
      month,
      ...countsOf(ofYears),
      cells: cellsOf((value) => ofYear(value, ofYears)),
    }));
  return [...normals, { ...countsOf(months), cells: cellsOf((value) => ofMonths(value, normals)) }];
}

type Value = (typeof MONTH_VALUES)[number];

function cellsOf(cellOf: (value: Value) => NormalCell): Normal['cells'] {
  return new Map(MONTH_VALUES.map((value) => [value.name, cellOf(value)]));
}

function countsOf(months: readonly Month[]) {
  const sum = (of: (month: Month) => number) => months.reduce((total, month) => total + of(month), 0);
  return { n: sum(({ n }) => n), expected: sum(({ expected }) => expected) };
}

/** A value of one month, over years. */
function ofYear({ name, fold }: Value, ofYears: readonly Month[]): NormalCell {
  const cells = ofYears.flatMap(({ cells }) => {
    const cell = cells.get(name);
    return cell === undefined || Number.isNaN(cell.value) ? [] : [{ ...cell, years: 1 }];
  });
  if (fold === 'max' || fold === 'min') return extremeOf(fold, cells);
  const counted = fold === 'mean' ? cells : cells.filter(({ isComplete }) => isComplete);
  if (counted.length === 0) return ABSENT;
  const total = counted.reduce((sum, { value }) => sum + value, 0);
  return { value: rounded(total / counted.length), years: counted.length };
}

/** A value of the year: means and sums need all months. */
function ofMonths({ name, fold }: Value, months: readonly Normal[]): NormalCell {
  const cells = months.flatMap(({ cells }) => {
    const cell = cells.get(name);
    return cell === undefined || Number.isNaN(cell.value) ? [] : [cell];
  });
  if (fold === 'max' || fold === 'min') return extremeOf(fold, cells);
  if (cells.length < 12) return ABSENT;
  const total = cells.reduce((sum, { value }) => sum + value, 0);
  const years = Math.min(...cells.map((cell) => cell.years));
  return { value: rounded(fold === 'mean' ? total / cells.length : total), years };
}

/** The greatest or the least; of equal ones that of the first day. */
function extremeOf(fold: 'max' | 'min', cells: readonly NormalCell[]): NormalCell {
  const [first, ...others] = cells;
  if (first === undefined) return ABSENT;
  const isBefore = (one: NormalCell, other: NormalCell) => (one.date as number) < (other.date as number);
  const extreme = others.reduce((best, cell) => {
    if (cell.value === best.value) return isBefore(cell, best) ? cell : best;
    return (fold === 'max' ? cell.value > best.value : cell.value < best.value) ? cell : best;
  }, first);
  const years = Math.max(...cells.map((cell) => cell.years));
  return { value: extreme.value, years, date: extreme.date as number };
}
