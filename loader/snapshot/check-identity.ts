import type { RowToCheck } from '../../clickhouse/snapshot/read-report-file.ts';
import { type NormalizedReport, normalize } from '../pipeline/reports/normalize.ts';
import { TYPED_SOURCES } from '../sources/registry.ts';

/**
 * A snapshot row as a load of the same text would produce it; `undefined` if a load would give it another time,
 * fingerprint, text or type: then its ID does not follow from its text.
 */
export function normalizeRow(row: RowToCheck): NormalizedReport | undefined {
  const { station, observedAt, type, raw, source } = row;
  const sent = TYPED_SOURCES.some((typed) => typed === source) ? { type } : {};
  const { reports } = normalize({
    rows: [{ station, filedAt: observedAt, text: raw, ...sent }],
    skipped: {},
  });
  const [report] = reports;
  const isSame =
    report?.observedAt === observedAt &&
    report.fingerprint === row.fingerprint &&
    report.raw === raw &&
    (report.sentType ?? type) === type;
  return isSame ? report : undefined;
}
