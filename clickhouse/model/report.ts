/** The vocabulary both programs share: what a report is, and where it stands in the archive's order. */

export const REPORT_TYPES = ['METAR', 'SPECI'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

/** A station's code of ICAO: codes with digits exist, such as K0CO and KX39 (D2). */
export const ICAO_CODE = /^[A-Z][A-Z0-9]{3}$/;

/**
 * Where reports come from, the most faithful first (D4): when two sources send one report, the archive
 * keeps the text and type of the source that stands earlier here. `demo` is this project's own generator.
 */
export const SOURCES = ['ogimet', 'ncei', 'madis', 'awc', 'iem', 'demo'] as const;
export type Source = (typeof SOURCES)[number];

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

/** One report as the loader hands it to the archive. */
export type Report = Position & {
  /** One line, as the source sent it (D5). */
  readonly raw: string;
  readonly source: Source;
  readonly outcome: DecodeOutcome;
  /** Version of the decoder that read it. */
  readonly decoder: number;
  readonly decoded: PartialDecoded;
};

/** `clean`: nothing in the body was left unexplained (D8). `unclean`: something was, so no reader is shown `decoded`. */
export type DecodeOutcome = 'clean' | 'unclean';

/** A cloud layer: `base_ft` in feet above ground, absent when the report gives none (`///`). */
export type CloudLayer = {
  readonly cover: 'FEW' | 'SCT' | 'BKN' | 'OVC' | 'VV' | 'SKC' | 'CLR' | 'NSC' | 'NCD';
  readonly base_ft?: number;
  readonly type?: 'CB' | 'TCU';
};

/** A runway visual range group (WMO-No. 306 FM 15, 15.7): metres or feet, never both. */
export type RunwayVisualRange = {
  readonly rwy: string;
  readonly min_m?: number;
  readonly max_m?: number;
  readonly min_ft?: number;
  readonly max_ft?: number;
  /** Less (`M`) or more (`P`) than the value given; `MP`: less than the lower value to more than the upper. */
  readonly mod?: 'M' | 'P' | 'MP';
  readonly trend?: 'U' | 'D' | 'N';
};

/**
 * What a report says, field by field. A key is absent when the report does not give it: never 0, never null (D9).
 * Names follow NOAA's Data API with the unit behind them.
 */
export type Decoded = {
  /** Canonical decimals, degrees Celsius: `"12"`, `"-0.6"`, `"0"`. */
  readonly temp_c?: string;
  readonly dewp_c?: string;
  /** Degrees true: calm 0, north 360; absent when variable or missing. */
  readonly wdir?: number;
  readonly wdir_vrb?: true;
  readonly wdir_from?: number;
  readonly wdir_to?: number;
  readonly wspd_kt?: number;
  readonly wgst_kt?: number;
  /** The speed is a lower bound (`P99KT`, `ABV49MPS`). */
  readonly wspd_above?: true;
  readonly wgst_above?: true;
  /** Prevailing visibility in metres; 9999 and CAVOK are 10000. */
  readonly visib_m?: number;
  /** Statute miles, only when the report gives statute miles. */
  readonly visib_sm?: number;
  readonly visib_mod?: 'M' | 'P';
  readonly visib_min_m?: number;
  readonly visib_min_dir?: string;
  readonly rvr?: readonly RunwayVisualRange[];
  /** Present weather as sent, joined by blanks: `"-RA BR"`. */
  readonly wx?: string;
  /** Recent weather without its `RE`. */
  readonly rewx?: string;
  readonly clouds?: readonly CloudLayer[];
  readonly vvis_ft?: number;
  readonly cavok: boolean;
  readonly altim_hpa?: number;
  /** Inches of mercury, only when the report gives them. */
  readonly altim_inhg?: number;
  readonly slp_hpa?: number;
  readonly qfe_hpa?: number;
  readonly maxt6_c?: number;
  readonly mint6_c?: number;
  readonly maxt24_c?: number;
  readonly mint24_c?: number;
  /** Inches; `*_trace` marks an amount too small to measure, given as 0. */
  readonly pcp1h_in?: number;
  readonly pcp1h_trace?: true;
  readonly pcp3h_in?: number;
  readonly pcp3h_trace?: true;
  readonly pcp6h_in?: number;
  readonly pcp6h_trace?: true;
  readonly pcp24h_in?: number;
  readonly pcp24h_trace?: true;
  readonly snow_in?: number;
  readonly snow_inc_in?: number;
  readonly swe_in?: number;
  readonly ice1h_in?: number;
  readonly ice3h_in?: number;
  readonly ice6h_in?: number;
  /** WMO code table 0200, 0–8. */
  readonly ptend?: number;
  /** Signed: falling pressure (codes 5–8) is negative. */
  readonly ptend_hpa?: number;
  readonly pk_wdir?: number;
  readonly pk_wspd_kt?: number;
  /** `"hhmm"` UTC; the hour is taken from the report where the group gives minutes alone. */
  readonly pk_time?: string;
  readonly presrr?: true;
  readonly presfr?: true;
  readonly maint?: true;
  readonly station_type?: 'AO1' | 'AO2';
  readonly auto?: true;
  readonly cor?: true;
  readonly nil?: true;
  /** Kept as sent: forecasts, runway state, colour state, sea state. */
  readonly trend?: string;
  readonly rwy_state?: string;
  readonly colour?: string;
  readonly sea?: string;
  /** Derived from ceiling and visibility when both are known. */
  readonly fltcat?: 'VFR' | 'MVFR' | 'IFR' | 'LIFR';
};

/** The same where a field that the report does not give may also be a key without a value. */
export type PartialDecoded = { readonly [Name in keyof Decoded]: Decoded[Name] | undefined } & {
  readonly cavok: boolean;
};
