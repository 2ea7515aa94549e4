import { encodeBlock, NumberWriter, StringWriter } from '../observations/native-columns.ts';
import { DAY_FIELDS, type DayField, type Days, dayColumnType } from './fields.ts';

type StationDays = { readonly station: string; readonly days: Days };

const KEYS = { date: 'Date32', n: 'Int32', expected: 'Int32' } as const;

/** Collects days into a block in the Native format. */
export class DayBlock {
  readonly #fields: readonly DayField[];
  readonly #station = new StringWriter();
  readonly #keys: Readonly<Record<keyof typeof KEYS, NumberWriter>>;
  readonly #values: ReadonlyMap<string, NumberWriter>;
  #rows = 0;

  /** @param fields those that have a column; all if omitted */
  constructor(fields: readonly DayField[] = DAY_FIELDS) {
    this.#fields = fields;
    const keys = Object.entries(KEYS).map(([name, type]) => [name, new NumberWriter(type)]);
    this.#keys = Object.fromEntries(keys);
    this.#values = new Map(fields.map((field) => [field.name, new NumberWriter(dayColumnType(field))]));
  }

  get rows(): number {
    return this.#rows;
  }

  /** The columns with their types, as a structure of ClickHouse. */
  get structure(): string {
    const keys = Object.entries(KEYS).map(([name, type]) => `${name} ${type}`);
    return [
      'station String',
      ...keys,
      ...this.#fields.map((field) => `${field.name} ${dayColumnType(field)}`),
    ].join(', ');
  }

  put({ station, days }: StationDays, day: number): void {
    const row = this.#rows;
    this.#rows += 1;
    this.#station.put(row, station);
    for (const name of ['date', 'n', 'expected'] as const) this.#keys[name].put(row, days[name][day]);
    for (const { name, type } of this.#fields) {
      const value = days[name as keyof Days][day] as number;
      if (!Number.isNaN(value))
        this.#values.get(name)?.put(row, type === 'Temperature' ? stored(value) : value);
    }
  }

  /** Returns the block and empties it. */
  take(): Buffer {
    const columns = { station: this.#station, ...this.#keys, ...Object.fromEntries(this.#values) };
    const bytes = encodeBlock(columns, this.#rows);
    this.#rows = 0;
    return bytes;
  }
}

/** -0 is below 0 and above -0.1. */
function stored(celsius: number): number {
  return Object.is(celsius, -0) ? -0.05 : celsius;
}
