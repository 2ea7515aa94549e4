import type { Field, FieldType, PartialDecoded } from './fields.ts';

/**
 * A field that follows from decoded fields. It is computed when a report is decoded and stored in a column of its own, so
 * that conditions and statistics read it like a decoded field. Everything that can name a decoded field can name it.
 */
export type DerivedField = Omit<Field, 'type'> & {
  /** The type of the values that records print. */
  readonly type: Extract<FieldType, 'UInt32' | 'Float64' | 'Bool'>;
  /** The type of the column where it is another one. */
  readonly storedType?: 'Decimal' | 'Float32';
  /** The value that records print over a row, where it is not that of the column: NULL where it is absent. */
  readonly sql?: string;
  /** The value that is stored, of a report that parsed cleanly; undefined where it is unknown. */
  readonly compute: (decoded: PartialDecoded) => number | boolean | undefined;
};

/**
 * The height in feet above which the sky is at most partly covered: the vertical visibility, or the lowest base of a layer
 * that covers more than half of it. Infinite where the sky is reported without such a layer; undefined where it is not
 * reported, where a layer of the ceiling has no base, and where a layer of unknown amount may be the ceiling.
 */
export function ceiling({ clouds, vvis_ft, cavok, clouds_unknown }: PartialDecoded): number | undefined {
  if (vvis_ft !== undefined) return vvis_ft;
  const layers = clouds ?? [];
  if (layers.length === 0 && !cavok) return undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (const { cover, base_ft } of layers) {
    if (cover !== 'BKN' && cover !== 'OVC' && cover !== 'VV') continue;
    if (base_ft === undefined) return undefined;
    if (base_ft < lowest) lowest = base_ft;
  }
  return clouds_unknown !== undefined && lowestBase(clouds_unknown) < lowest ? undefined : lowest;
}

/** The lowest height of `///015 ///030CB`, in feet. */
function lowestBase(layers: string): number {
  return Math.min(...layers.split(' ').map((layer) => Number(layer.slice(3, 6)) * 100));
}

/**
 * Saturation vapor pressure over water by the Magnus formula: 6.112 hPa · exp(17.62 t / (243.12 + t)), t in °C.
 * Source: WMO-No. 8, Guide to Instruments and Methods of Observation, volume I, annex 4.B. Both pressures have the factor
 * 6.112 hPa, so it cancels out.
 */
const MAGNUS = { factor: 17.62, degrees: 243.12 } as const;

function relativeHumidity({ temp_c, dewp_c }: PartialDecoded): number | undefined {
  if (temp_c === undefined || dewp_c === undefined) return undefined;
  const exponent = (celsius: number) => (MAGNUS.factor * celsius) / (MAGNUS.degrees + celsius);
  return Math.round(1000 * Math.exp(exponent(Number(dewp_c)) - exponent(Number(temp_c)))) / 10;
}

const METERS_PER_FOOT = 0.3048;

/** The lowest range of the runways that give one. */
function lowestRunwayVisualRange({ rvr }: PartialDecoded): number | undefined {
  let lowest: number | undefined;
  for (const { min_m, min_ft } of rvr ?? []) {
    const meters = min_m ?? (min_ft === undefined ? undefined : Math.round(min_ft * METERS_PER_FOOT));
    if (meters !== undefined && (lowest === undefined || meters < lowest)) lowest = meters;
  }
  return lowest;
}

export const DERIVED_FIELDS = [
  {
    name: 'ceiling_ft',
    type: 'UInt32',
    // Infinite for a sky without a ceiling: conditions hold it higher than any number, and no record prints it.
    storedType: 'Float32',
    sql: "accurateCastOrNull(ceiling_ft, 'UInt32')",
    unit: 'ft',
    meaning:
      'ceiling: lowest base of a `BKN` or `OVC` layer, or the vertical visibility. Absent without a ceiling; in conditions a sky that is reported without a ceiling is then higher than any number, and a sky that is not reported is unknown',
    compute: ceiling,
  },
  {
    name: 'rh_pct',
    type: 'Float64',
    storedType: 'Decimal',
    sql: 'toFloat64(rh_pct)',
    unit: '%',
    meaning:
      'relative humidity over water from `temp_c` and `dewp_c` by the Magnus formula (WMO-No. 8, annex 4.B), rounded to tenths',
    compute: relativeHumidity,
  },
  {
    name: 'rvr_min_m',
    type: 'UInt32',
    unit: 'm',
    meaning:
      'lowest runway visual range of any runway: the value, or the lower of two; feet are converted and rounded to whole metres',
    compute: lowestRunwayVisualRange,
  },
] as const satisfies readonly DerivedField[];
