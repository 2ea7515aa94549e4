import { derive } from '../model/derived-fields.ts';
import { COUNTS_TYPE, DERIVED_COLUMNS, enum8, FIELD_COLUMNS, storedOfAll } from '../model/field-columns.ts';
import type { PartialDecoded } from '../model/fields.ts';
import { COUNTS, type Counts, REPORT_TYPES, type Report, storedText } from '../model/report.ts';
import { fieldWriter } from './field-writer.ts';
import { encodeBlock, NumberWriter, StringWriter } from './native-columns.ts';
import type { StoredReport } from './stored-reports.ts';

/** Collects rows for the tables of reports into a block. */
export class ObservationBlock {
  private readonly columns = newColumns();
  private readonly fields = new Map(
    [...FIELD_COLUMNS.values()].map(({ name, storedType }) => [name, fieldWriter(storedType)]),
  );
  private readonly derived = DERIVED_COLUMNS.map(({ name }) => this.fields.get(name));
  private count = 0;

  get rows(): number {
    return this.count;
  }

  /** Returns the block in the Native format and empties it. */
  take(): Buffer {
    const fields = [...this.fields].map(([name, { column }]) => [name, column]);
    const taken = encodeBlock({ ...this.columns, ...Object.fromEntries(fields) }, this.count);
    this.count = 0;
    return taken;
  }

  put(report: Report, version: number, counts: Counts): void {
    const row = this.key(report, version);
    this.columns.counts.put(row, COUNTS.indexOf(counts));
    const { raw, station, observedAt, clean, decoder, decoded } = report;
    this.columns.text.put(row, storedText(raw, station, observedAt));
    this.columns.clean.put(row, clean ? 1 : 0);
    this.columns.decoder.put(row, decoder);
    this.putDecoded(row, clean ? decoded : storedOfAll(decoded));
    if (!clean) return;
    const values = derive(decoded);
    for (let n = 0; n < values.length; n += 1) this.derived[n]?.put(row, values[n]);
  }

  /** Removes a report from its type. Only its key is stored. */
  retract(archived: StoredReport, version: number): void {
    this.columns.retracted.put(this.key(archived, version), 1);
  }

  /** A report gives a dozen of the fields: its own names are fewer than those of all. */
  private putDecoded(row: number, decoded: Partial<PartialDecoded>): void {
    for (const name in decoded) this.fields.get(name)?.put(row, decoded[name as keyof PartialDecoded]);
  }

  private key(key: Report | StoredReport, version: number): number {
    const row = this.count;
    this.count += 1;
    const { columns } = this;
    columns.observedAt.put(row, key.observedAt);
    columns.station.put(row, key.station);
    columns.type.put(row, REPORT_TYPES.indexOf(key.type) + 1);
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
