import type { PartialDecoded } from './fields.ts';

/** What a report is, and its place in the order of the archive. */

export const REPORT_TYPES = ['METAR', 'SPECI'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

/** The ICAO code of a station. Codes with digits exist, such as K0CO and KX39 (D2). */
export const ICAO_CODE = /^[A-Z][A-Z0-9]{3}$/;

/** The name of a source. Differences between sources are in their adapters, `loader/sources/registry.ts`. */
export type Source = string;

/**
 * The key of a record and its place in the order of every answer (D12):
 * observedAt, then station, then METAR before SPECI, then fingerprint.
 */
export type Position = {
  /** Seconds since 1970-01-01T00:00:00Z; a whole minute. */
  readonly observedAt: number;
  /** `ICAO_CODE` matches it. */
  readonly station: string;
  readonly type: ReportType;
  /** 8 lower-case hex digits: the hash of the body (D4), see `fingerprint.ts`. */
  readonly fingerprint: string;
};

/** A report as the loader inserts it. */
export type Report = Position & {
  /** One line, as the source sent it (D5). */
  readonly raw: string;
  readonly source: Source;
  readonly outcome: DecodeOutcome;
  /** Version of the decoder that read the text. */
  readonly decoder: number;
  readonly decoded: PartialDecoded;
};

/** `clean`: everything in the body was explained (D8). `unclean`: not everything, so `decoded` is not served. */
type DecodeOutcome = 'clean' | 'unclean';
