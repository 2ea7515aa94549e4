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

  putDay(station: string, days: Days, row: number): void {
    this.put([station, ...this.names.map((name) => days[name][row])]);
  }
}
