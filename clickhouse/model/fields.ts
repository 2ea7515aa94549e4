/**
 * The only list of the decoded fields, from which types, columns, code and docs/guide/decoded-fields.md follow. Names are those of
 * NOAA's Data API, with the unit as a suffix.
 */
export type Field = {
  readonly name: string;
  readonly type: FieldType;
  readonly unit?: string;
  readonly meaning: string;
  /** Reports repeat a few thousand texts, so the column has a dictionary. */
  readonly isLowCardinality?: true;
  /** Present in every record; all other fields are absent where the report does not give them (D9). */
  readonly required?: true;
  readonly marks?: Marks;
};

/** SQL over a row: where a report says less than the value, or more than it (D79). NULL is neither. */
export type Marks = { readonly less?: string; readonly more: string };

/**
 * A ClickHouse type; a list of values, stored as Enum8 in this order; or a list of items. `Decimal` has one decimal
 * place; `true` is stored as Bool and is never false. `Temperature` is a string with at most one decimal place and without
 * trailing zeros. `"-0"` is a value of its own (D62).
 */
export type FieldType =
  | 'UInt8'
  | 'UInt16'
  | 'UInt32'
  | 'Float32'
  | 'Float64'
  | 'Decimal'
  | 'Temperature'
  | 'String'
  | 'Bool'
  | 'true'
  | readonly string[]
  | { readonly items: readonly Field[] };

export function isList(type: FieldType): type is { readonly items: readonly Field[] } {
  return typeof type === 'object' && 'items' in type;
}

// Enum8 values, numbered from 1 in this order in the archive: append only.
export const RVR_MODS = ['M', 'P', 'MP'] as const;
const RVR_TRENDS = ['U', 'D', 'N'] as const;
export const CLOUD_COVERS = ['FEW', 'SCT', 'BKN', 'OVC', 'VV', 'SKC', 'CLR', 'NSC', 'NCD'] as const;
const CLOUD_TYPES = ['CB', 'TCU'] as const;
const VISIBILITY_MODS = ['M', 'P'] as const;
const OF_VISIBILITY: Marks = { less: "visib_mod = 'M'", more: "visib_mod = 'P'" };
const STATION_TYPES = ['AO1', 'AO2'] as const;
const FLIGHT_CATEGORIES = ['VFR', 'MVFR', 'IFR', 'LIFR'] as const;

const RUNWAY_VISUAL_RANGE_FIELDS = [
  { name: 'rwy', type: 'String', required: true, meaning: 'runway designator, as sent' },
  { name: 'min_m', type: 'UInt16', unit: 'm', meaning: 'the value, or the lower of two' },
  { name: 'max_m', type: 'UInt16', unit: 'm', meaning: 'the upper of two' },
  { name: 'min_ft', type: 'UInt16', unit: 'ft', meaning: 'the value, or the lower of two' },
  { name: 'max_ft', type: 'UInt16', unit: 'ft', meaning: 'the upper of two' },
  {
    name: 'mod',
    type: RVR_MODS,
    meaning: '`M` less, `P` more than the value; `MP` from less than the lower to more than the upper',
  },
  { name: 'trend', type: RVR_TRENDS, meaning: '`U` upward, `D` downward, `N` no change' },
] as const satisfies readonly Field[];

const CLOUD_FIELDS = [
  { name: 'cover', type: CLOUD_COVERS, required: true, meaning: 'amount, or the code for no clouds' },
  { name: 'base_ft', type: 'UInt32', unit: 'ft', meaning: 'height of the base above the station' },
  { name: 'type', type: CLOUD_TYPES, meaning: 'cumulonimbus or towering cumulus' },
] as const satisfies readonly Field[];

/** In the order in which records print them. */
export const DECODED_FIELDS = [
  {
    name: 'temp_c',
    type: 'Temperature',
    unit: '°C',
    meaning: 'air temperature (`"12"`, `"-0.6"`, `"-0"`); tenths where the remarks give them',
  },
  { name: 'dewp_c', type: 'Temperature', unit: '°C', meaning: 'dew point, as `temp_c`' },
  {
    name: 'wdir',
    type: 'UInt16',
    unit: 'degrees true',
    meaning: 'wind direction; calm is 0, north is 360; absent when variable',
  },
  { name: 'wdir_vrb', type: 'true', meaning: 'the direction is variable (`VRB`)' },
  {
    name: 'wdir_from',
    type: 'UInt16',
    unit: 'degrees true',
    meaning: 'start of the sector of a varying direction',
  },
  { name: 'wdir_to', type: 'UInt16', unit: 'degrees true', meaning: 'end of that sector, clockwise' },
  { name: 'wspd_kt', type: 'UInt16', unit: 'kt', meaning: 'mean wind speed', marks: { more: 'wspd_above' } },
  { name: 'wgst_kt', type: 'UInt16', unit: 'kt', meaning: 'gust', marks: { more: 'wgst_above' } },
  { name: 'wspd_above', type: 'true', meaning: 'the speed is a lower bound (`P99KT`, `ABV49MPS`)' },
  { name: 'wgst_above', type: 'true', meaning: 'the gust is a lower bound' },
  {
    name: 'visib_m',
    type: 'UInt32',
    unit: 'm',
    meaning: 'prevailing visibility; 10000 also for 9999 and CAVOK',
    marks: OF_VISIBILITY,
  },
  {
    name: 'visib_sm',
    type: 'Float32',
    unit: 'statute miles',
    meaning: 'prevailing visibility, where the report gives statute miles',
    marks: OF_VISIBILITY,
  },
  {
    name: 'visib_mod',
    type: VISIBILITY_MODS,
    meaning: 'the visibility is `M` less than, `P` more than the value',
  },
  { name: 'visib_min_m', type: 'UInt32', unit: 'm', meaning: 'minimum visibility' },
  { name: 'visib_min_dir', type: 'String', meaning: 'direction of the minimum visibility (`SW`)' },
  {
    name: 'rvr',
    type: { items: RUNWAY_VISUAL_RANGE_FIELDS },
    meaning: 'runway visual range, one item a group (WMO-No. 306, FM 15, 15.7): meters or feet, never both',
  },
  {
    name: 'wx',
    type: 'String',
    isLowCardinality: true,
    meaning: 'present weather as sent, joined by blanks (`"-RA BR"`)',
  },
  { name: 'wx_missing', type: 'true', meaning: 'present weather is not available (`//`)' },
  { name: 'rewx', type: 'String', meaning: 'recent weather without its `RE`, joined by blanks' },
  { name: 'clouds', type: { items: CLOUD_FIELDS }, meaning: 'cloud layers, in the order of the report' },
  { name: 'vvis_ft', type: 'UInt32', unit: 'ft', meaning: 'vertical visibility' },
  { name: 'cavok', type: 'Bool', required: true, meaning: 'the report has `CAVOK`; always present' },
  { name: 'altim_hpa', type: 'Float32', unit: 'hPa', meaning: 'altimeter setting (QNH)' },
  {
    name: 'altim_inhg',
    type: 'Float32',
    unit: 'inHg',
    meaning: 'altimeter setting, where the report gives inches of mercury',
  },
  { name: 'slp_hpa', type: 'Float32', unit: 'hPa', meaning: 'pressure at sea level' },
  { name: 'qfe_hpa', type: 'Float32', unit: 'hPa', meaning: 'pressure at the station' },
  { name: 'maxt6_c', type: 'Float32', unit: '°C', meaning: 'maximum temperature of the last 6 hours' },
  { name: 'mint6_c', type: 'Float32', unit: '°C', meaning: 'minimum temperature of the last 6 hours' },
  { name: 'maxt24_c', type: 'Float32', unit: '°C', meaning: 'maximum temperature of the last 24 hours' },
  { name: 'mint24_c', type: 'Float32', unit: '°C', meaning: 'minimum temperature of the last 24 hours' },
  { name: 'pcp1h_in', type: 'Float32', unit: 'in', meaning: 'precipitation of the last hour' },
  { name: 'pcp1h_trace', type: 'true', meaning: 'a trace, given as 0' },
  { name: 'pcp3h_in', type: 'Float32', unit: 'in', meaning: 'precipitation of the last 3 hours' },
  { name: 'pcp3h_trace', type: 'true', meaning: 'a trace, given as 0' },
  { name: 'pcp6h_in', type: 'Float32', unit: 'in', meaning: 'precipitation of the last 6 hours' },
  { name: 'pcp6h_trace', type: 'true', meaning: 'a trace, given as 0' },
  { name: 'pcp24h_in', type: 'Float32', unit: 'in', meaning: 'precipitation of the last 24 hours' },
  { name: 'pcp24h_trace', type: 'true', meaning: 'a trace, given as 0' },
  { name: 'snow_in', type: 'Float32', unit: 'in', meaning: 'snow depth' },
  {
    name: 'snow_inc_in',
    type: 'Float32',
    unit: 'in',
    meaning: 'increase of the snow depth in the last hour',
  },
  { name: 'swe_in', type: 'Float32', unit: 'in', meaning: 'water equivalent of the snow' },
  { name: 'hail_in', type: 'Float32', unit: 'in', meaning: 'diameter of the largest hailstone' },
  { name: 'ice1h_in', type: 'Float32', unit: 'in', meaning: 'ice accretion of the last hour' },
  { name: 'ice1h_trace', type: 'true', meaning: 'a trace, given as 0' },
  { name: 'ice3h_in', type: 'Float32', unit: 'in', meaning: 'ice accretion of the last 3 hours' },
  { name: 'ice3h_trace', type: 'true', meaning: 'a trace, given as 0' },
  { name: 'ice6h_in', type: 'Float32', unit: 'in', meaning: 'ice accretion of the last 6 hours' },
  { name: 'ice6h_trace', type: 'true', meaning: 'a trace, given as 0' },
  { name: 'sun_min', type: 'UInt16', unit: 'min', meaning: 'sunshine of the day before' },
  { name: 'ptend', type: 'UInt8', meaning: 'characteristic of the pressure tendency (WMO code table 0200)' },
  {
    name: 'ptend_hpa',
    type: 'Float32',
    unit: 'hPa',
    meaning: 'change of the pressure in the last 3 hours; negative when falling (codes 5 to 8)',
  },
  { name: 'pk_wdir', type: 'UInt16', unit: 'degrees true', meaning: 'direction of the peak wind' },
  { name: 'pk_wspd_kt', type: 'UInt16', unit: 'kt', meaning: 'speed of the peak wind' },
  {
    name: 'pk_time',
    type: 'String',
    unit: 'UTC',
    meaning: 'time of the peak wind, `hhmm`; where the group gives minutes only, the latest such minute',
  },
  {
    name: 'ts_remark',
    type: 'true',
    meaning:
      'by the remarks, a thunderstorm began since the last report (`TSB18E45`) or ended at most ten minutes before (`TSE48`)',
  },
  { name: 'presrr', type: 'true', meaning: 'the pressure rises rapidly (`PRESRR`)' },
  { name: 'presfr', type: 'true', meaning: 'the pressure falls rapidly (`PRESFR`)' },
  { name: 'maint', type: 'true', meaning: 'the station needs maintenance (`$`)' },
  { name: 'pno', type: 'true', meaning: 'amounts of precipitation are not available (`PNO`)' },
  {
    name: 'tsno',
    type: 'true',
    meaning: 'thunderstorms are not observed: the sensor does not work (`TSNO`)',
  },
  {
    name: 'station_type',
    type: STATION_TYPES,
    meaning: 'automatic station without or with a precipitation discriminator',
  },
  { name: 'auto', type: 'true', meaning: 'automatic report (`AUTO`)' },
  { name: 'cor', type: 'true', meaning: 'corrected report (`COR`, `CCA`)' },
  { name: 'cor_number', type: 'UInt8', meaning: 'number of the correction: 1 for `CCA`, 2 for `CCB`' },
  { name: 'nil', type: 'true', meaning: 'missing report (`NIL`)' },
  { name: 'trend', type: 'String', meaning: 'trend forecast, as sent' },
  { name: 'rwy_state', type: 'String', meaning: 'runway state groups, as sent' },
  { name: 'colour', type: 'String', meaning: 'colour state, as sent' },
  { name: 'sea', type: 'String', meaning: 'state and temperature of the sea, as sent' },
  {
    name: 'fltcat',
    type: FLIGHT_CATEGORIES,
    meaning: 'flight category by ceiling and visibility; where only one is known, `LIFR` if it alone decides',
  },
  { name: 'ws', type: 'String', meaning: 'wind shear groups, as sent (`WS R03`)' },
  {
    name: 'convective',
    type: CLOUD_TYPES,
    meaning: 'convective cloud whose amount is not reported (`//////CB`, `///TCU`)',
  },
  {
    name: 'clouds_unknown',
    type: 'String',
    meaning: 'cloud layers whose amount is not reported, as sent (`///015`)',
  },
] as const satisfies readonly Field[];

type ValueOf<T extends FieldType> = T extends 'UInt8' | 'UInt16' | 'UInt32' | 'Float32' | 'Float64'
  ? number
  : T extends 'Decimal' | 'Temperature' | 'String'
    ? string
    : T extends 'Bool'
      ? boolean
      : T extends 'true'
        ? true
        : T extends readonly (infer Value)[]
          ? Value
          : T extends { readonly items: infer Items extends readonly Field[] }
            ? readonly RecordOf<Items>[]
            : never;

type RecordOf<Fields extends readonly Field[]> = Merged<RequiredOf<Fields> & OptionalOf<Fields>>;

type Merged<T> = { readonly [Name in keyof T]: T[Name] };

type RequiredOf<Fields extends readonly Field[]> = {
  readonly [F in Extract<Fields[number], { readonly required: true }> as F['name']]: ValueOf<F['type']>;
};

type OptionalOf<Fields extends readonly Field[]> = {
  readonly [F in Exclude<Fields[number], { readonly required: true }> as F['name']]?: ValueOf<F['type']>;
};

/** What a report says, field by field. A key is absent where the report does not give it: never 0, never null (D9). */
export type Decoded = RecordOf<typeof DECODED_FIELDS>;

/** The same, but an absent field may also be a key without a value. */
export type PartialDecoded = { readonly [Name in keyof Decoded]: Decoded[Name] | undefined } & {
  readonly cavok: boolean;
};

export type CloudLayer = RecordOf<typeof CLOUD_FIELDS>;
export type RunwayVisualRange = RecordOf<typeof RUNWAY_VISUAL_RANGE_FIELDS>;
