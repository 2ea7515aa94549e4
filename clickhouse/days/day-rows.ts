import { NativeRows } from '../observations/native-rows.ts';
import { DAY_FIELDS, type DayField, type Days, dayColumnType } from './fields.ts';

export class DayRows extends NativeRows {
  readonly names: readonly (keyof Days)[];

  constructor(fields: readonly DayField[] = DAY_FIELDS) {
    const ofFields = fields.map((field) => [field.name, dayColumnType(field)] as const);
    const types = new Map([['date', 'Date32'], ['n', 'Int32'], ['expected', 'Int32'], ...ofFields]);
    super(new Map([['station', 'String'], ...types]));
    this.names = [...types.keys()] as (keyof Days)[];
  }

  /** @param end the number of the first day that is left out */
  putDays(station: string, days: Days, first = 0, end = days.date.length): void {
    this.putColumns(end - first, [
      new Array<string>(end - first).fill(station),
      ...this.names.map((name) => days[name].subarray(first, end)),
    ]);
  }
}
