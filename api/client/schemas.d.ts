/* Written by `npm run generate` from the schemas of /openapi.json and the table of parameters: do not edit. */
/** The collections that the archive has reports from, of these stations in the calendar years of the range, and how to cite them. */
export type Sources = {
  source: string;
  citation?: string;
}[];

export interface ObservationsPage {
  data: Observation[];
  meta: {
    /** Only `false` ends a walk. */
    hasMore: boolean;
    /** Present when `hasMore` is true; goes into `cursor`. */
    nextCursor?: string;
    coverage: Coverage;
    sources: Sources;
    rateLimit: RateLimit;
  };
}
/** One METAR or SPECI of a station. */
export interface Observation {
  /** Opaque, and the same on every machine and after every reload. */
  id: string;
  /** ICAO code of the station. */
  station: string;
  /** Observation time, a whole minute in UTC. */
  observedAt: string;
  type: 'METAR' | 'SPECI';
  /** `parsed`: `decoded` is present. `failed`: the decoder could not explain the whole body. `raw_only`: `decoded` was not requested, or the decoder has not read this report. */
  parseStatus: 'parsed' | 'failed' | 'raw_only';
  /** The report as the source sent it, on one line; present when `include` has `raw`. */
  raw?: string;
  decoded?: Decoded;
}
/** The values of the report, field by field; with `fields`, only those. Derived fields are there only where `fields` names them. A field that the report does not give is absent: never 0, never null. */
export interface Decoded {
  /** air temperature (`"12"`, `"-0.6"`, `"-0"`); tenths where the remarks give them [°C] */
  temp_c?: string;
  /** dew point, as `temp_c` [°C] */
  dewp_c?: string;
  /** wind direction; calm is 0, north is 360; absent when variable [degrees true] */
  wdir?: number;
  /** the direction is variable (`VRB`) */
  wdir_vrb?: true;
  /** start of the sector of a varying direction [degrees true] */
  wdir_from?: number;
  /** end of that sector, clockwise [degrees true] */
  wdir_to?: number;
  /** mean wind speed [kt] */
  wspd_kt?: number;
  /** gust [kt] */
  wgst_kt?: number;
  /** the speed is a lower bound (`P99KT`, `ABV49MPS`) */
  wspd_above?: true;
  /** the gust is a lower bound */
  wgst_above?: true;
  /** prevailing visibility; 10000 also for 9999 and CAVOK [m] */
  visib_m?: number;
  /** prevailing visibility, where the report gives statute miles [statute miles] */
  visib_sm?: number;
  /** the visibility is `M` less than, `P` more than the value */
  visib_mod?: 'M' | 'P';
  /** minimum visibility [m] */
  visib_min_m?: number;
  /** direction of the minimum visibility (`SW`) */
  visib_min_dir?: string;
  /** runway visual range, one item a group (WMO-No. 306, FM 15, 15.7): meters or feet, never both */
  rvr?: {
    /** runway designator, as sent */
    rwy: string;
    /** the value, or the lower of two [m] */
    min_m?: number;
    /** the upper of two [m] */
    max_m?: number;
    /** the value, or the lower of two [ft] */
    min_ft?: number;
    /** the upper of two [ft] */
    max_ft?: number;
    /** `M` less, `P` more than the value; `MP` from less than the lower to more than the upper */
    mod?: 'M' | 'P' | 'MP';
    /** `U` upward, `D` downward, `N` no change */
    trend?: 'U' | 'D' | 'N';
  }[];
  /** present weather as sent, joined by blanks (`"-RA BR"`) */
  wx?: string;
  /** present weather is not available (`//`) */
  wx_missing?: true;
  /** recent weather without its `RE`, joined by blanks */
  rewx?: string;
  /** cloud layers, in the order of the report */
  clouds?: {
    /** amount, or the code for no clouds */
    cover: 'FEW' | 'SCT' | 'BKN' | 'OVC' | 'VV' | 'SKC' | 'CLR' | 'NSC' | 'NCD';
    /** height of the base above the station [ft] */
    base_ft?: number;
    /** cumulonimbus or towering cumulus */
    type?: 'CB' | 'TCU';
  }[];
  /** vertical visibility [ft] */
  vvis_ft?: number;
  /** the report has `CAVOK`; always present */
  cavok?: boolean;
  /** altimeter setting (QNH) [hPa] */
  altim_hpa?: number;
  /** altimeter setting, where the report gives inches of mercury [inHg] */
  altim_inhg?: number;
  /** pressure at sea level [hPa] */
  slp_hpa?: number;
  /** pressure at the station [hPa] */
  qfe_hpa?: number;
  /** maximum temperature of the last 6 hours [°C] */
  maxt6_c?: number;
  /** minimum temperature of the last 6 hours [°C] */
  mint6_c?: number;
  /** maximum temperature of the last 24 hours [°C] */
  maxt24_c?: number;
  /** minimum temperature of the last 24 hours [°C] */
  mint24_c?: number;
  /** precipitation of the last hour [in] */
  pcp1h_in?: number;
  /** a trace, given as 0 */
  pcp1h_trace?: true;
  /** precipitation of the last 3 hours [in] */
  pcp3h_in?: number;
  /** a trace, given as 0 */
  pcp3h_trace?: true;
  /** precipitation of the last 6 hours [in] */
  pcp6h_in?: number;
  /** a trace, given as 0 */
  pcp6h_trace?: true;
  /** precipitation of the last 24 hours [in] */
  pcp24h_in?: number;
  /** a trace, given as 0 */
  pcp24h_trace?: true;
  /** snow depth [in] */
  snow_in?: number;
  /** increase of the snow depth in the last hour [in] */
  snow_inc_in?: number;
  /** water equivalent of the snow [in] */
  swe_in?: number;
  /** ice accretion of the last hour [in] */
  ice1h_in?: number;
  /** a trace, given as 0 */
  ice1h_trace?: true;
  /** ice accretion of the last 3 hours [in] */
  ice3h_in?: number;
  /** a trace, given as 0 */
  ice3h_trace?: true;
  /** ice accretion of the last 6 hours [in] */
  ice6h_in?: number;
  /** a trace, given as 0 */
  ice6h_trace?: true;
  /** characteristic of the pressure tendency (WMO code table 0200) */
  ptend?: number;
  /** change of the pressure in the last 3 hours; negative when falling (codes 5 to 8) [hPa] */
  ptend_hpa?: number;
  /** direction of the peak wind [degrees true] */
  pk_wdir?: number;
  /** speed of the peak wind [kt] */
  pk_wspd_kt?: number;
  /** time of the peak wind, `hhmm`, in the hour of the report where the group gives minutes only [UTC] */
  pk_time?: string;
  /** by the remarks, a thunderstorm began since the last report (`TSB18E45`) or ended at most ten minutes before (`TSE48`) */
  ts_remark?: true;
  /** the pressure rises rapidly (`PRESRR`) */
  presrr?: true;
  /** the pressure falls rapidly (`PRESFR`) */
  presfr?: true;
  /** the station needs maintenance (`$`) */
  maint?: true;
  /** amounts of precipitation are not available (`PNO`) */
  pno?: true;
  /** thunderstorms are not observed: the sensor does not work (`TSNO`) */
  tsno?: true;
  /** automatic station without or with a precipitation discriminator */
  station_type?: 'AO1' | 'AO2';
  /** automatic report (`AUTO`) */
  auto?: true;
  /** corrected report (`COR`, `CCA`) */
  cor?: true;
  /** number of the correction: 1 for `CCA`, 2 for `CCB` */
  cor_number?: number;
  /** missing report (`NIL`) */
  nil?: true;
  /** trend forecast, as sent */
  trend?: string;
  /** runway state groups, as sent */
  rwy_state?: string;
  /** colour state, as sent */
  colour?: string;
  /** state and temperature of the sea, as sent */
  sea?: string;
  /** flight category by ceiling and visibility; where only one is known, `LIFR` if it alone decides */
  fltcat?: 'VFR' | 'MVFR' | 'IFR' | 'LIFR';
  /** wind shear groups, as sent (`WS R03`) */
  ws?: string;
  /** convective cloud whose amount is not reported (`//////CB`, `///TCU`) */
  convective?: 'CB' | 'TCU';
  /** cloud layers whose amount is not reported, as sent (`///015`) */
  clouds_unknown?: string;
  /** lowest base of a `BKN` or `OVC` layer, or the vertical visibility, whichever is lower; absent without a ceiling, and then higher than any number in conditions [ft] */
  ceiling_ft?: number;
  /** relative humidity over water, Magnus formula (WMO-No. 8, annex 4.B), rounded to tenths [%] */
  rh_pct?: number;
  /** lowest runway visual range of any runway; feet are converted to whole meters [m] */
  rvr_min_m?: number;
  /** fog: `FG`, also freezing; not shallow (`MIFG`), in patches (`BCFG`), partial (`PRFG`) or in the vicinity (`VCFG`) */
  fog?: boolean;
  /** thunderstorm at the station: `TS`, with or without precipitation, or one of the remarks (`ts_remark`: `TSB18E45`, `TSE48`); unknown without it where it is not observed (`tsno`) */
  thunder?: boolean;
  /** thunderstorm in the vicinity: `VCTS`; unknown without it where it is not observed (`tsno`) */
  thunder_vicinity?: boolean;
  /** falling snow: `SN`, `SG`, also in showers or mixed; not drifting or blowing (`DRSN`, `BLSN`) */
  snow?: boolean;
  /** rain or drizzle: `RA`, `DZ`, also freezing, in showers or mixed */
  rain?: boolean;
  /** freezing rain or drizzle: `FZRA`, `FZDZ`; not unknown precipitation (`FZUP`); freezing fog is `fog` */
  freezing?: boolean;
  /** hail or small hail: `GR`, `GS` */
  hail?: boolean;
  /** dust or sand: `DU`, `SA`, `DS`, `SS`, `PO`, also drifting, blowing or in the vicinity */
  dust?: boolean;
  /** the collection that text and type are from, such as `iem`; `meta.sources` says how to cite it */
  source?: string;
}
export interface Coverage {
  /** The status of all requested stations together. */
  status: 'complete' | 'partial' | 'none';
  stations: StationCoverage[];
}
export interface StationCoverage {
  /** ICAO code of the station. */
  station: string;
  status: 'complete' | 'partial' | 'none';
  /** Calendar years of the request whose requested days are all done. */
  yearsDone: number;
  /** Calendar years that the request touches. */
  yearsAll: number;
}
/** The numbers of the headers `X-RateLimit-Limit` and `X-RateLimit-Remaining`. */
export interface RateLimit {
  plan: 'sandbox' | 'starter' | 'professional';
  limitPerSecond: 1 | 10 | 100;
  remaining: number;
}

/** Every error, in the form of RFC 9457. */
export interface Problem {
  /** A page about this error. */
  type: string;
  title: string;
  status: number;
  /** What happened, and what to write instead. */
  detail: string;
  /** For programs: a code never changes its meaning. */
  code:
    | 'invalid_parameter'
    | 'invalid_cursor'
    | 'cursor_mismatch'
    | 'missing_credentials'
    | 'invalid_credentials'
    | 'not_found'
    | 'method_not_allowed'
    | 'not_acceptable'
    | 'rate_limited'
    | 'storage_unavailable'
    | 'key_store_unavailable'
    | 'overloaded'
    | 'query_timeout'
    | 'internal';
  /** Quote it when you report an error. */
  requestId: string;
  /** Every parameter that is wrong. */
  errors?: {
    parameter: string;
    detail: string;
  }[];
}

export type ObservationsParameters = {
  /** Stations to return; country, bbox or near can take its place: 1 to 1,000 uppercase ICAO codes separated by commas, as in KJFK,EGLL. */
  readonly stations?: readonly string[] | undefined;
  /** Start of the range, inclusive: an RFC 3339 timestamp in UTC, as in 2024-01-31T12:00:00Z. */
  readonly from: string | Date;
  /** End of the range, exclusive: an RFC 3339 timestamp in UTC, as in 2024-02-01T12:00:00Z. */
  readonly to: string | Date;
  /** Kind of report: all, metar or speci. */
  readonly type?: ('all' | 'metar' | 'speci') | undefined;
  /** Parts of each record: raw, decoded or both, separated by a comma. */
  readonly include?: readonly ('raw' | 'decoded')[] | undefined;
  /** Keeps the records that meet a condition: a condition in CQL2 Text on decoded and derived fields, type and raw, as in visib_m < 800 OR ceiling_ft < 200. */
  readonly filter?: string | undefined;
  /** Fields that decoded holds, in this order: names of decoded and derived fields separated by commas, as in temp_c,ceiling_ft; with include=decoded. */
  readonly fields?: readonly string[] | undefined;
  /** Order of the records: asc (the oldest first) or desc (the newest first). */
  readonly order?: ('asc' | 'desc') | undefined;
  /** Stations of a country, in place of codes: a country code of two uppercase letters (ISO 3166-1), as in DE. */
  readonly country?: string | undefined;
  /** Stations in a box, in place of codes: west,south,east,north in degrees, as in -125,24,-66,50; west greater than east crosses the antimeridian. */
  readonly bbox?: string | undefined;
  /** Stations near a point, in place of codes: LAT,LON in degrees without a space, as in 50.03,8.57: latitude from -90 to 90, longitude from -180 to 180. */
  readonly near?: string | undefined;
  /** Maximum distance from near: a number of kilometers from 1 to 1,000, as in 46.3; 100 if it is not given. */
  readonly radius_km?: number | undefined;
  /** Maximum number of records in a page: a whole number from 1 to 10,000. */
  readonly limit?: number | undefined;
  /** Continues a walk with the same filters: the nextCursor of the page before; leave it out for the first page. */
  readonly cursor?: string | undefined;
};

export type HourlyParameters = {
  /** Stations to return; country, bbox or near can take its place: 1 to 1,000 uppercase ICAO codes separated by commas, as in KJFK,EGLL. */
  readonly stations?: readonly string[] | undefined;
  /** Start of the range (inclusive): the first nominal hour from it on: an RFC 3339 timestamp in UTC, as in 2024-01-31T12:00:00Z; or, if to is a date too, a day of tz, as in 2024-01-31. */
  readonly from: string | Date;
  /** End of the range, exclusive: an RFC 3339 timestamp in UTC, as in 2024-02-01T12:00:00Z; or, if from is a date too, the day of tz after the last one, as in 2024-02-01. */
  readonly to: string | Date;
  /** Keeps the hours whose first METAR meets a condition: a condition in CQL2 Text on decoded and derived fields, type and raw, as in visib_m < 800 OR ceiling_ft < 200. */
  readonly filter?: string | undefined;
  /** Fields of a row, in this order: names of decoded and derived fields separated by commas, as in temp_c,ceiling_ft. */
  readonly fields?: readonly string[] | undefined;
  /** Time zone of the days from and to, where they are dates; rows are hours of UTC: utc, local, standard (what presets of days take), or an IANA name, as in Europe/London. */
  readonly tz?: string | undefined;
  /** Stations of a country, in place of codes: a country code of two uppercase letters (ISO 3166-1), as in DE. */
  readonly country?: string | undefined;
  /** Stations in a box, in place of codes: west,south,east,north in degrees, as in -125,24,-66,50; west greater than east crosses the antimeridian. */
  readonly bbox?: string | undefined;
  /** Stations near a point, in place of codes: LAT,LON in degrees without a space, as in 50.03,8.57: latitude from -90 to 90, longitude from -180 to 180. */
  readonly near?: string | undefined;
  /** Maximum distance from near: a number of kilometers from 1 to 1,000, as in 46.3; 100 if it is not given. */
  readonly radius_km?: number | undefined;
  /** Maximum number of records in a page: a whole number from 1 to 10,000. */
  readonly limit?: number | undefined;
  /** Continues a walk with the same filters: the nextCursor of the page before; leave it out for the first page. */
  readonly cursor?: string | undefined;
};

export type StatisticsParameters = {
  /** Stations to return; country, bbox or near can take its place: 1 to 1,000 uppercase ICAO codes separated by commas, as in KJFK,EGLL. */
  readonly stations?: readonly string[] | undefined;
  /** Start of the range, inclusive: an RFC 3339 timestamp in UTC, as in 2024-01-31T12:00:00Z; or, if to is a date too, a day of tz, as in 2024-01-31. */
  readonly from: string | Date;
  /** End of the range, exclusive: an RFC 3339 timestamp in UTC, as in 2024-02-01T12:00:00Z; or, if from is a date too, the day of tz after the last one, as in 2024-02-01. */
  readonly to: string | Date;
  /** Kind of report: all, metar or speci. */
  readonly type?: ('all' | 'metar' | 'speci') | undefined;
  /** Condition that a sampled report has to meet: a condition in CQL2 Text, as in wspd_kt >= 20 AND thunder = TRUE. */
  readonly filter?: string | undefined;
  /** Values of each row: up to 40 statistics separated by commas, optionally with a name and a colon before each: count, mean(temp_c), min, max, sum, stddev, median, p95 (p0 to p100), time_of_max, time_of_min, resultant(wdir), resultant(wspd_kt), resultant_n, of a condition low:share(visib_m < 800), count, days, hours, and highest(temp_c), lowest(temp_c), highest(wgst_kt), time_of_highest(wgst_kt), total(pcp1h_in), trace(pcp1h_in). */
  readonly select?: string | undefined;
  /** A preset that replaces select, by, sample and days: one of aerodrome-a, aerodrome-b, aerodrome-c, aerodrome-d, aerodrome-e, aerodrome-f, wind-rose, flight-category, daily, normals, extremes. */
  readonly preset?: string | undefined;
  /** Groups of reports, in addition to the station: up to four of year, season, month, date, hour, wind_sector(8), (12), (16) or (36), wind_sector(12;calm=2), class(wspd_kt;10;20;30), fltcat or another field with a few values, separated by commas. */
  readonly by?: string | undefined;
  /** Which reports count: auto (all reports for extremes, days and hours with a condition, and the hourly sample for everything else), hourly (the first METAR of each nominal hour) or all. */
  readonly sample?: ('auto' | 'hourly' | 'all') | undefined;
  /** Which days have means and extremes: all, or complete (with by=date alone: those that no run of more than six missing hours touches, as in presets of days). */
  readonly days?: ('all' | 'complete') | undefined;
  /** Time zone of days and hours: utc, local, standard (what presets of days take), or an IANA name, as in Europe/London. */
  readonly tz?: string | undefined;
  /** Stations of a country, in place of codes: a country code of two uppercase letters (ISO 3166-1), as in DE. */
  readonly country?: string | undefined;
  /** Stations in a box, in place of codes: west,south,east,north in degrees, as in -125,24,-66,50; west greater than east crosses the antimeridian. */
  readonly bbox?: string | undefined;
  /** Stations near a point, in place of codes: LAT,LON in degrees without a space, as in 50.03,8.57: latitude from -90 to 90, longitude from -180 to 180. */
  readonly near?: string | undefined;
  /** Maximum distance from near: a number of kilometers from 1 to 1,000, as in 46.3; 100 if it is not given. */
  readonly radius_km?: number | undefined;
};
