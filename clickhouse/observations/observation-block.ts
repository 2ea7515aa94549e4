import { REPORT_TYPES, type Report } from '../model/report.ts';
import { storedText } from '../model/stored-text.ts';
import { encodeBlock } from './native/block.ts';
import { newColumns, newFieldColumns } from './observation-columns.ts';
import type { StoredReport } from './stored-reports.ts';
import { writeDecodedFields, writeDerivedFields } from './write-fields.ts';

/** Collects rows for the table `observations` into a block. */
export class ObservationBlock {
  private readonly columns = newColumns();
  private readonly fields = newFieldColumns();
  private count = 0;

  get rows(): number {
    return this.count;
  }

  /** Returns the block in the Native format and empties it. */
  take(): Buffer {
    const taken = encodeBlock({ ...this.columns, ...this.fields }, this.count);
    this.count = 0;
    return taken;
  }

  put(report: Report, version: number): void {
    const row = this.key(report, version);
    const { raw, station, observedAt, outcome, decoder, decoded } = report;
    const isClean = outcome === 'clean';
    this.columns.text.put(row, storedText(raw, station, observedAt));
    this.columns.clean.uint8(row, isClean ? 1 : 0);
    this.columns.decoder.uint16(row, decoder);
    writeDecodedFields(
      this.fields,
      row,
      isClean ? decoded : { nil: decoded.nil, cor: decoded.cor, cor_number: decoded.cor_number },
    );
    if (isClean) writeDerivedFields(this.fields, row, decoded);
  }

  /** Removes a report from its type. Only its key is stored. */
  retract(archived: StoredReport, version: number): void {
    const row = this.key(archived, version);
    this.columns.retracted.uint8(row, 1);
    writeDecodedFields(this.fields, row, {});
  }

  private key(key: Report | StoredReport, version: number): number {
    const row = this.count;
    this.count += 1;
    const { columns } = this;
    columns.observedAt.uint32(row, key.observedAt);
    columns.station.put(row, key.station);
    columns.type.uint8(row, REPORT_TYPES.indexOf(key.type) + 1);
    columns.fingerprint.uint32(row, Number.parseInt(key.fingerprint, 16));
    columns.source.put(row, key.source);
    columns.version.uint32(row, version);
    return row;
  }
}
