import { groupBy } from '../group-by.ts';
import { firstDayOf } from './local-month.ts';
import { rounded } from './means.ts';
import { type Folded, isExtreme, MONTH_VALUES } from './months.ts';

type MonthValue = (typeof MONTH_VALUES)[number];

/** A value of a mean year, the number of years that count, and for an extreme the first day that has it. Absent values are NaN. */
type Cell = { readonly value: number; readonly years: number; readonly date: number };

/** The record of the whole year follows those of the months 1 to 12, so it has this number. */
export const YEAR = 13;

const NONE = Number.NaN;
const ABSENT: Cell = { value: NONE, years: 0, date: NONE };

/**
 * The mean year of a station: its months 1 to 12, then the year, whose `month` is absent (D55, D77). A mean is that of the years
 * whose month has a mean; a sum or number of days is that of the years in which every day of the month is known; an extreme is
 * that of all days. `years` is the greatest number of years of any value.
 *
 * @param months at least one
 */
export function normalsOf(months: Folded): Folded {
  const columnOf = (name: string) => months[name] as Float64Array;
  const month = columnOf('month');
  const ofMonths = [...groupBy(month.keys(), (row) => month[row] as number)].sort(
    ([one], [other]) => one - other,
  );
  const numbers = ofMonths.map(([number]) => number);
  const lengths = months.at.map((each) => firstDayOf(each + 1) - firstDayOf(each));
  const sums = (values: Float64Array) => {
    const all = ofMonths.map(([, rows]) => rows.reduce((sum, row) => sum + (values[row] as number), 0));
    return Float64Array.of(...all, sumOf(all));
  };
  const years = new Float64Array(ofMonths.length + 1);
  const columns: Folded = {
    at: Float64Array.of(...numbers, YEAR),
    month: Float64Array.of(...numbers, NONE),
    years,
    n: sums(columnOf('n')),
    expected: sums(columnOf('expected')),
  };
  for (const value of MONTH_VALUES) {
    const { name, fold } = value;
    const [values, days, dates] = [columnOf(name), columnOf(`${name}_days`), months[`${name}_date`]];
    const counts = (row: number) =>
      !Number.isNaN(values[row]) && (isExtreme(value) || fold === 'mean' || days[row] === lengths[row]);
    const cells = ofMonths.map(([, rows]) => {
      const counted = rows.filter(counts);
      const cellOf = (row: number) => ({
        value: values[row] as number,
        years: 1,
        date: dates?.[row] ?? NONE,
      });
      const cell = together(value, counted.map(cellOf), 1);
      return isExtreme(value) ? { ...cell, years: counted.length } : cell;
    });
    // For the year, an extreme needs a value of one month, and every other value needs all twelve.
    cells.push(together(value, cells, isExtreme(value) ? 1 : 12));
    for (const [row, cell] of cells.entries()) years[row] = Math.max(years[row] as number, cell.years);
    const column = (of: keyof Cell) => Float64Array.from(cells, (cell) => cell[of]);
    columns[name] = column('value');
    columns[`${name}_years`] = column('years');
    if (isExtreme(value)) columns[`${name}_date`] = column('date');
  }
  return columns;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The value of a month over its years, or of the year over its months. @param needed cells that must have a value */
function together({ fold }: MonthValue, all: readonly Cell[], needed: number): Cell {
  const cells = all.filter(({ value }) => !Number.isNaN(value));
  if (cells.length < needed) return ABSENT;
  if (fold === 'max' || fold === 'min') {
    // Of equal extremes, the one of the first day.
    const extreme = cells.reduce((best, cell) => {
      if (cell.value === best.value) return cell.date < best.date ? cell : best;
      return (fold === 'max' ? cell.value > best.value : cell.value < best.value) ? cell : best;
    });
    return { ...extreme, years: Math.max(...cells.map(({ years }) => years)) };
  }
  const total = sumOf(cells.map(({ value }) => value));
  if (needed === 1) return { ...ABSENT, value: rounded(total / cells.length), years: cells.length };
  const years = Math.min(...cells.map((cell) => cell.years));
  return { ...ABSENT, value: rounded(fold === 'mean' ? total / cells.length : total), years };
}
