import { LOWEST_OUTSIDE_CYCLONES_HPA, LOWEST_STORM_KT, strongestWind } from './groups/pressure.ts';
import { LIMITS } from './limits.ts';
import type { Fields, ParseState } from './parse-state.ts';

/**
 * Groups that constrain each other, compared after the whole report is read because they come in any order. In the
 * body, a contradiction is listed. In the remarks, groups that are impossible given the body are dropped, as are both
 * of two that contradict each other, because either may be wrong; the rest is kept.
 */
export function checkConsistency(state: ParseState, unexplained: string[]): void {
  const { fields } = state;
  const { altim_hpa, slp_hpa, wspd_kt } = fields;
  if (fields.wdir_from !== undefined && !variationHolds(fields)) unexplained.push(state.variation);
  // So low a pressure occurs only in storms, with strong winds.
  const isLow = wspd_kt !== undefined && isBelow(altim_hpa, LOWEST_OUTSIDE_CYCLONES_HPA);
  if (isLow && strongestWind(fields) < LOWEST_STORM_KT) unexplained.push(state.hectopascals || state.inches);
  // 10SM has lost a figure.
  if (fields.visib_m === 0 && fields.wx === undefined && fields.clouds !== undefined)
    unexplained.push(state.visibility);
  if (!verticalVisibilityHolds(fields))
    unexplained.push(`VV${String((fields.vvis_ft ?? 0) / 100).padStart(3, '0')}`);
  // Mexican reports also have this remark before the altimeter.
  if (slp_hpa !== undefined && Math.abs(slp_hpa - (altim_hpa ?? slp_hpa)) > LIMITS.qnhToSeaLevel.highest)
    fields.slp_hpa = undefined;
  if (fields.pk_wspd_kt !== undefined) checkPeakWind(fields);
  if (fields.maxt6_c !== undefined || fields.mint6_c !== undefined || fields.maxt24_c !== undefined)
    checkExtremes(fields);
  if (fields.pcp1h_in !== undefined || fields.pcp24h_in !== undefined) checkAmounts(fields);
}

/** Vertical visibility is given up to 600 m (ICAO Annex 3, appendix 3, 4.5.1); in fog one sees no farther, nor 5 km ahead. */
const HIGHEST_IN_FOG_FT = 2000;

const verticalVisibilityHolds = ({ vvis_ft, visib_m, wx }: Fields): boolean =>
  vvis_ft === undefined ||
  visib_m === undefined ||
  (visib_m > 5000 ? !/(?:^|[ +-])(?:FZ)?FG/.test(wx ?? '') : vvis_ft <= HIGHEST_IN_FOG_FT || visib_m >= 1000);

/** Directions are rounded to ten degrees (15.5.1), so the mean may be one step outside the extremes. */
const ROUNDING_DEGREES = 10;

/** Clockwise from `wdir_from` to `wdir_to` the extremes include the mean direction, and a calm has neither (15.5.3). */
function variationHolds({ wdir, wspd_kt, wgst_kt, wdir_from, wdir_to }: Fields): boolean {
  if (wdir_from === undefined || wdir_to === undefined) return true;
  if (wdir_from === wdir_to || (wspd_kt === 0 && wgst_kt === undefined)) return false;
  // 000V360 means the whole circle.
  const width = (wdir_to - wdir_from + 360) % 360 || 360;
  if (wdir === undefined) return true;
  const clockwise = (wdir - wdir_from + 360) % 360;
  return clockwise <= width + ROUNDING_DEGREES || clockwise >= 360 - ROUNDING_DEGREES;
}

/** The peak of the hour is its highest gust; a second sensor can differ by a knot. */
function checkPeakWind(fields: Fields): void {
  if (isBelow(fields.pk_wspd_kt, strongestWind(fields) - 1)) drop(fields, 'pk_wdir', 'pk_wspd_kt', 'pk_time');
}

/** The extremes are in tenths; the temperature may be rounded to a whole degree, and sampled a minute later. */
const ROUNDING_C = 1;

function checkExtremes(fields: Fields): void {
  // NaN, which contradicts nothing, if unknown.
  const [highest, lowest] = [Number(fields.temp_c) - ROUNDING_C, Number(fields.temp_c) + ROUNDING_C];
  if (isBelow(fields.maxt6_c, highest)) fields.maxt6_c = undefined;
  if (isBelow(lowest, fields.mint6_c)) fields.mint6_c = undefined;
  // One group gives both.
  if (isBelow(fields.maxt24_c, highest) || isBelow(lowest, fields.mint24_c))
    drop(fields, 'maxt24_c', 'mint24_c');
  for (const [higher, lower] of ORDERED_EXTREMES)
    if (isBelow(fields[higher], fields[lower])) drop(fields, higher, lower);
}

type Extreme = 'maxt6_c' | 'mint6_c' | 'maxt24_c' | 'mint24_c';

/** The day includes its last six hours. */
const ORDERED_EXTREMES: readonly (readonly [higher: Extreme, lower: Extreme])[] = [
  ['maxt6_c', 'mint6_c'],
  ['maxt24_c', 'mint24_c'],
  ['maxt24_c', 'maxt6_c'],
  ['mint6_c', 'mint24_c'],
  ['maxt24_c', 'mint6_c'],
  ['maxt6_c', 'mint24_c'],
];

/** An unknown value contradicts nothing. */
const isBelow = (value: number | undefined, bound: number | undefined): boolean =>
  value !== undefined && bound !== undefined && value < bound;

function drop(fields: Fields, ...names: readonly Exclude<keyof Fields, 'cavok'>[]): void {
  for (const name of names) fields[name] = undefined;
}

/** The amount of a longer period must include that of a shorter period with the same end; otherwise both are dropped. */
function checkAmounts(fields: Fields): void {
  const several = fields.pcp6h_in === undefined ? 'pcp3h' : 'pcp6h';
  for (const [longer, shorter] of [
    [several, 'pcp1h'],
    ['pcp24h', several],
    ['pcp24h', 'pcp1h'],
  ] as const)
    if (isBelow(fields[`${longer}_in`], fields[`${shorter}_in`]))
      drop(fields, `${longer}_in`, `${longer}_trace`, `${shorter}_in`, `${shorter}_trace`);
}
