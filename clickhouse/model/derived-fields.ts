/**
 * Fields that are computed from decoded fields and never stored (D43). Everything that can name a decoded field can name
 * these too.
 */
export type DerivedField = {
  readonly name: string;
  /** The type of its values: a whole number, or one with decimal places. */
  readonly type: 'UInt32' | 'Float64';
  readonly unit: string;
  readonly meaning: string;
  /** The value over one row of `observations` that parsed cleanly; NULL where it is absent from the record. */
  readonly sql: string;
  /** The value in conditions, where that differs: `inf` is higher than every number, NULL is unknown. */
  readonly sqlInConditions?: string;
};

// Arrays of the same length, one element a layer. A path names a column of its own; `tupleElement` would read all fields.
const COVERS = 'decoded.clouds.cover';
const BASES = 'decoded.clouds.base_ft';

/**
 * The ceiling as the flight category has it (`loader/decode/flight-category.ts`): the vertical visibility before the
 * layers; unknown where a layer of the ceiling has no base, where a layer of unknown amount may be the ceiling, or where
 * the sky is not reported; `inf` where the sky has no ceiling.
 */
const CEILING = (() => {
  const isCeiling = "cover = 'BKN' OR cover = 'OVC' OR cover = 'VV'";
  const lowest = `arrayMin((cover, base) -> if(${isCeiling}, ifNull(toFloat64(base), -1), inf), ${COVERS}, ${BASES})`;
  const ofLayers = `if(empty(${COVERS}), if(decoded.cavok, inf, -1), ${lowest})`;
  // `///015 ///030CB`
  const unknown = `arrayMin(layer -> toFloat64OrZero(substring(layer, 4, 3)) * 100, splitByChar(' ', assumeNotNull(clouds_unknown)))`;
  const known = `if(isNotNull(clouds_unknown) AND ${unknown} < ${ofLayers}, -1, ${ofLayers})`;
  return `nullIf(ifNull(toFloat64(decoded.vvis_ft), ${known}), -1)`;
})();

/**
 * Saturation vapour pressure over water by the Magnus formula: 6.112 hPa · exp(17.62 t / (243.12 + t)), t in °C.
 * Source: WMO-No. 8, Guide to Instruments and Methods of Observation, volume I, annex 4.B. Both pressures have the factor
 * 6.112 hPa, so it cancels out.
 */
const MAGNUS = { factor: 17.62, degrees: 243.12 } as const;

const HUMIDITY = (() => {
  const exponent = (celsius: string) => `${MAGNUS.factor} * ${celsius} / (${MAGNUS.degrees} + ${celsius})`;
  const [air, dew] = ['decoded.temp_c', 'decoded.dewp_c'].map((field) => exponent(`toFloat64(${field})`));
  return `round(100 * exp(${dew} - ${air}), 1)`;
})();

const METRES_PER_FOOT = 0.3048;

/** The lowest range of the runways that give one, `inf` where none does. */
const LOWEST_RANGE = (() => {
  const rvr = 'decoded.rvr';
  const metres = `ifNull(toFloat64(m), ifNull(round(ft * ${METRES_PER_FOOT}), inf))`;
  const lowest = `arrayMin((m, ft) -> ${metres}, ${rvr}.min_m, ${rvr}.min_ft)`;
  return `if(empty(${rvr}.min_m), inf, ${lowest})`;
})();

export const DERIVED_FIELDS = [
  {
    name: 'ceiling_ft',
    type: 'UInt32',
    unit: 'ft',
    meaning:
      'ceiling: lowest base of a `BKN` or `OVC` layer, or the vertical visibility. Absent without a ceiling; in conditions a sky that is reported without a ceiling is then higher than any number, and a sky that is not reported is unknown',
    sql: `accurateCastOrNull(${CEILING}, 'UInt32')`,
    sqlInConditions: CEILING,
  },
  {
    name: 'rh_pct',
    type: 'Float64',
    unit: '%',
    meaning:
      'relative humidity over water from `temp_c` and `dewp_c` by the Magnus formula (WMO-No. 8, annex 4.B), rounded to tenths',
    sql: HUMIDITY,
  },
  {
    name: 'rvr_min_m',
    type: 'UInt32',
    unit: 'm',
    meaning:
      'lowest runway visual range of any runway: the value, or the lower of two; feet are converted and rounded to whole metres',
    sql: `accurateCastOrNull(${LOWEST_RANGE}, 'UInt32')`,
  },
] as const satisfies readonly DerivedField[];
