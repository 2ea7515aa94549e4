import { DERIVED_FIELDS, derive } from '../model/derived-fields.ts';
import {
  COUNTS_TYPE,
  enum8,
  FIELD_COLUMNS,
  numberInEnum8,
  storedOfAll,
  valueType,
} from '../model/field-columns.ts';
import { type FieldType, isList, type PartialDecoded } from '../model/fields.ts';
import { COUNTS, type Counts, REPORT_TYPES, type Report, storedText } from '../model/report.ts';
import { type ColumnWriter, encodeBlock, ListWriter, NumberWriter, StringWriter } from './native-columns.ts';
import type { StoredReport } from './stored-reports.ts';

/** Collects rows for the tables of reports into a block. */
export class ObservationBlock {
  rows = 0;
  private readonly columns = newColumns();
  private readonly fields = new Map<string, ColumnWriter>(
    [...FIELD_COLUMNS.values()].map(({ name, storedType }) => [name, columnOf(storedType)]),
  );
  private readonly derived = [...this.fields.values()].slice(-DERIVED_FIELDS.length);

  /** Returns the block in the Native format and empties it. */
  take(): Buffer {
    const taken = encodeBlock({ ...this.columns, ...Object.fromEntries(this.fields) }, this.rows);
    this.rows = 0;
    return taken;
  }

  put(report: Report, version: number, counts: Counts): void {
    const row = this.key(report, version);
    this.columns.counts.put(row, COUNTS.indexOf(counts));
    const { raw, station, observedAt, clean, decoder, decoded } = report;
    this.columns.text.put(row, storedText(raw, station, observedAt));
    this.columns.clean.put(row, clean ? 1 : 0);
    this.columns.decoder.put(row, decoder);
    const stored: Partial<PartialDecoded> = clean ? decoded : storedOfAll(decoded);
    for (const name in stored) {
      const value = stored[name as keyof PartialDecoded];
      // A field that the report does not give is `undefined`.
      if (value !== undefined) this.fields.get(name)?.put(row, value);
    }
    if (!clean) return;
    const derived = derive(decoded);
    for (let n = 0; n < derived.length; n += 1) this.derived[n]?.put(row, derived[n]);
  }

  /** Removes a report from its type. Only its key is stored. */
  retract(archived: StoredReport, version: number): void {
    this.columns.retracted.put(this.key(archived, version), 1);
  }

  private key(key: Report | StoredReport, version: number): number {
    const { columns, rows: row } = this;
    this.rows += 1;
    columns.observedAt.put(row, key.observedAt);
    columns.station.put(row, key.station);
    columns.type.put(row, numberInEnum8(REPORT_TYPES, key.type));
    columns.fingerprint.put(row, Number.parseInt(key.fingerprint, 16));
    columns.source.put(row, key.source);
    columns.version.put(row, version);
    return row;
  }
}

/** The columns of a block for the tables of reports. The server converts a String to LowCardinality. */
function newColumns() {
  return {
    observedAt: new NumberWriter("DateTime('UTC')"),
    station: new StringWriter(),
    type: new NumberWriter(enum8(REPORT_TYPES)),
    fingerprint: new NumberWriter('UInt32'),
    version: new NumberWriter('UInt32'),
    retracted: new NumberWriter('Bool'),
    counts: new NumberWriter(COUNTS_TYPE),
    source: new StringWriter(),
    text: new StringWriter(),
    clean: new NumberWriter('Bool'),
    decoder: new NumberWriter('UInt16'),
  };
}

function columnOf(type: FieldType, isRequired = false): ColumnWriter {
  if (isList(type))
    return new ListWriter(
      Object.fromEntries(type.items.map((item) => [item.name, columnOf(item.type, item.required)])),
    );
  if (type === 'String') return new StringWriter(isRequired ? 'String' : 'Nullable(String)');
  const stored = valueType(type);
  return new NumberWriter(isRequired ? stored : `Nullable(${stored})`, encodingOf(type));
}

type Encoding = (value: never) => number;

const ENCODINGS: { readonly [Type in FieldType & string]?: Encoding } = {
  Bool: Number,
  true: Number,
  Decimal: (value: number) => Math.round(value * 10),
  // See `printedNumber`.
  Temperature: (value: string) => (value === '-0' ? -5 : Math.round(Number(value) * 100)),
};

/** The number by which a value is stored, if it is not that number itself. */
function encodingOf(type: FieldType): Encoding | undefined {
  if (Array.isArray(type)) return (value: string) => numberInEnum8(type, value);
  return typeof type === 'string' ? ENCODINGS[type] : undefined;
}
