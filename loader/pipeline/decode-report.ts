import type { Report, ReportType, Source } from '../../clickhouse/model/report.ts';
import { DECODER_VERSION, decodeAll } from '../decode.ts';
import type { NormalizedReport } from './normalize.ts';

/** A report as it is stored. Name by name: this runs for every report, and a spread costs several times as much. */
export function decodeReport(
  {
    station,
    observedAt,
    fingerprint,
    raw,
  }: Pick<NormalizedReport, 'station' | 'observedAt' | 'fingerprint' | 'raw'>,
  source: Source,
  type: ReportType,
): Report {
  const { fields: decoded, unexplained } = decodeAll(raw);
  const clean = unexplained.length === 0;
  return { station, observedAt, type, fingerprint, raw, source, clean, decoder: DECODER_VERSION, decoded };
}
