import type { Field, FieldType, PartialDecoded } from './fields.ts';

/** A field that follows from decoded fields, computed when a report is decoded, in a column of its own. */
export type DerivedField = Omit<Field, 'type'> & {
  /** The type of the values that records print. */
  readonly type: Extract<FieldType, 'UInt32' | 'Float64' | 'Bool'>;
  /** The type of the column, if different. */
  readonly storedType?: 'Decimal' | 'Float32';
  /** The value that records print, if it is not the column's; NULL if absent. */
  readonly sql?: string;
  /** The value stored for a report that parsed cleanly; undefined if unknown. */
  readonly compute: (decoded: PartialDecoded) => number | boolean | undefined;
};

/** The ceiling in feet: infinite if the sky is reported without one; undefined if unknown, as when a layer lacks base or amount. */
export function ceiling(decoded: PartialDecoded): number | undefined {
  const { clouds = [], vvis_ft, cavok, clouds_unknown } = decoded;
  if (clouds.length === 0 && vvis_ft === undefined && !cavok) return undefined;
  // A loop, because a named function is made anew for each report, which costs a tenth of the time of decoding one.
  for (const { cover, base_ft } of clouds)
    if (cover === 'VV' ? vvis_ft === undefined : base_ft === undefined && isCeiling(cover)) return undefined;
  const lowest = lowestKnownCeiling(decoded);
  return clouds_unknown !== undefined && lowestBase(clouds_unknown) < lowest ? undefined : lowest;
}

/** An upper bound of the ceiling; infinite if nothing is known. */
export function lowestKnownCeiling({ clouds, vvis_ft }: PartialDecoded): number {
  let lowest = vvis_ft ?? Number.POSITIVE_INFINITY;
  for (const { cover, base_ft } of clouds ?? [])
    if (base_ft !== undefined && base_ft < lowest && isCeiling(cover)) lowest = base_ft;
  return lowest;
}

const isCeiling = (cover: string): boolean => cover === 'BKN' || cover === 'OVC';

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
  const percent = Math.round(1000 * Math.exp(magnus(Number(dewp_c)) - magnus(Number(temp_c)))) / 10;
  // Both temperatures are rounded, so the dew point can be higher.
  return Math.min(100, percent);
}

function magnus(celsius: number): number {
  return (MAGNUS.factor * celsius) / (MAGNUS.degrees + celsius);
}

export const METERS_PER_FOOT = 0.3048;

/** In whole meters. A quarter of a meter is subtracted or added if the report says less or more than the value (D79). */
function lowestRunwayVisualRange({ rvr }: PartialDecoded): number | undefined {
  let lowest: number | undefined;
  for (const { min_m, min_ft, max_m, max_ft, mod } of rvr ?? []) {
    const meters = min_m ?? (min_ft === undefined ? undefined : Math.round(min_ft * METERS_PER_FOOT));
    if (meters === undefined) continue;
    const isRange = max_m !== undefined || max_ft !== undefined;
    const marked =
      mod === 'P' ? (isRange ? meters : meters + 0.25) : mod === undefined ? meters : meters - 0.25;
    if (lowest === undefined || marked < lowest) lowest = marked;
  }
  return lowest;
}

/** Descriptors and phenomena, of two letters each, before the wanted ones. */
const PAIRS = '(?:[A-Z]{2})*';

/** A function that says whether any weather group, after its sign, begins with a pattern. */
function anyWeather(beginning: string) {
  const pattern = new RegExp(`(?:^| )[-+]?${beginning}`);
  return ({ wx, wx_missing }: PartialDecoded): boolean | undefined => {
    if (wx === undefined) return wx_missing ? undefined : false;
    return pattern.test(wx);
  };
}

/** A function that says whether any weather group has one of the meant pairs of letters and none of the excluded ones. */
export function anyOf(meant: readonly string[], excluded: readonly string[]) {
  const others = excluded.length === 0 ? '' : `(?!${PAIRS}(?:${excluded.join('|')}))`;
  return anyWeather(`${others}${PAIRS}(?:${meant.join('|')})`);
}

const hasThunderstorm = anyOf(['TS'], ['VC']);

/** True also if a thunderstorm has ended before the report, so that only the remarks mention it. */
function thunder(decoded: PartialDecoded): boolean | undefined {
  return decoded.ts_remark || ifObserved(decoded, hasThunderstorm(decoded));
}

const hasThunderstormNear = anyWeather(`VC${PAIRS}TS`);

/** If the lightning sensor does not work, it is unknown whether there was a thunderstorm that is not reported. */
function ifObserved({ tsno }: PartialDecoded, isReported: boolean | undefined): boolean | undefined {
  return isReported || !tsno ? isReported : undefined;
}

/** Descriptors of what does not fall at the station. */
export const NOT_FALLING = ['VC', 'DR', 'BL'];

const WEATHER_FLAGS = [
  {
    name: 'fog',
    meaning:
      'fog: `FG`, also freezing; not shallow (`MIFG`), in patches (`BCFG`), partial (`PRFG`) or in the vicinity (`VCFG`)',
    compute: anyOf(['FG'], ['MI', 'BC', 'PR', 'VC']),
  },
  {
    name: 'thunder',
    meaning:
      'thunderstorm at the station: `TS`, with or without precipitation, or one of the remarks (`ts_remark`: `TSB18E45`, `TSE48`); else unknown where it is not observed (`tsno`)',
    compute: thunder,
  },
  {
    name: 'thunder_vicinity',
    meaning: 'thunderstorm in the vicinity: `VCTS`; else unknown where it is not observed (`tsno`)',
    compute: (decoded: PartialDecoded) => ifObserved(decoded, hasThunderstormNear(decoded)),
  },
  {
    name: 'snow',
    meaning: 'falling snow: `SN`, `SG`, also in showers or mixed; not drifting or blowing (`DRSN`, `BLSN`)',
    compute: anyOf(['SN', 'SG'], NOT_FALLING),
  },
  {
    name: 'rain',
    meaning: 'rain or drizzle: `RA`, `DZ`, also freezing, in showers or mixed',
    compute: anyOf(['RA', 'DZ'], NOT_FALLING),
  },
  {
    name: 'freezing',
    meaning:
      'freezing rain or drizzle: `FZRA`, `FZDZ`; not unknown precipitation (`FZUP`); freezing fog is `fog`',
    compute: anyWeather(`${PAIRS}FZ${PAIRS}(?:RA|DZ)`),
  },
  { name: 'hail', meaning: 'hail or small hail: `GR`, `GS`', compute: anyOf(['GR', 'GS'], NOT_FALLING) },
  {
    name: 'dust',
    meaning: 'dust or sand: `DU`, `SA`, `DS`, `SS`, `PO`, also drifting, blowing or in the vicinity',
    compute: anyOf(['DU', 'SA', 'DS', 'SS', 'PO'], []),
  },
] as const;

export const DERIVED_FIELDS = [
  {
    name: 'ceiling_ft',
    type: 'UInt32',
    // Infinite for a sky without a ceiling: conditions hold it higher than any number, and no record prints it.
    storedType: 'Float32',
    sql: "accurateCastOrNull(ceiling_ft, 'UInt32')",
    unit: 'ft',
    meaning:
      'lowest base of a `BKN` or `OVC` layer, or the vertical visibility, whichever is lower; absent without a ceiling, and then higher than any number in conditions',
    compute: ceiling,
  },
  {
    name: 'rh_pct',
    type: 'Float64',
    storedType: 'Decimal',
    sql: 'toFloat64(rh_pct)',
    unit: '%',
    meaning: 'relative humidity over water, Magnus formula (WMO-No. 8, annex 4.B), rounded to tenths',
    compute: relativeHumidity,
  },
  {
    name: 'rvr_min_m',
    type: 'UInt32',
    storedType: 'Float32',
    sql: "accurateCastOrNull(round(rvr_min_m), 'UInt32')",
    marks: { less: 'rvr_min_m < round(rvr_min_m)', more: 'rvr_min_m > round(rvr_min_m)' },
    unit: 'm',
    meaning: 'lowest runway visual range of any runway; feet are converted to whole meters',
    compute: lowestRunwayVisualRange,
  },
  ...WEATHER_FLAGS.map((flag): DerivedField => ({ ...flag, type: 'Bool' })),
] as const satisfies readonly DerivedField[];

/** In the order of `DERIVED_FIELDS`. */
export function derive(decoded: PartialDecoded): readonly ReturnType<DerivedField['compute']>[] {
  const values: ReturnType<DerivedField['compute']>[] = [];
  for (const { compute } of DERIVED_FIELDS) values.push(compute(decoded));
  return values;
}
