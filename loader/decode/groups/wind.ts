import { digits, isMissing } from '../characters.ts';
import { isWithinLimits, LIMITS } from '../limits.ts';
import type { ParseState, Verdict } from '../parse-state.ts';
import { isFromSao, LOWEST_STORM_KT, strongestWind } from './pressure.ts';

/**
 * Surface wind, dddff(f)(Gff(f)) with its unit, and dndndnVdxdxdx (WMO-No. 306 FM 15, 15.5; FMH-1, 12.6.5). 15.5.4:
 * calm is 00000, so north is 360. 15.5.6: P99KT or P49MPS is "more than". ABV49MPS is its older spelling (Annex 3,
 * before 2001), E before the direction marks an estimated wind (Mexico, Central America), and solidi mark any part that
 * an automatic station could not measure.
 */

const KT_PER_MPS = 1.943844;
const KM_PER_NAUTICAL_MILE = 1.852;

/** The highest speed sent in each unit; higher ones are sent as P99KT, P49MPS, P199KMH (15.5.6). */
const HIGHEST_FIGURE: Readonly<Record<SpeedUnit, number>> = { KT: 99, MPS: 49, KMH: 199 };

type SpeedUnit = 'KT' | 'MPS' | 'KMH';

/** 210097KT may be 97 knots with an extra zero, or 21009KT with a slip: 45 of 204 such reports give 25 knots and more. */
const HIGHEST_WITH_NOUGHT = 24;

/** Whole knots; -1 is a missing speed and stays so. */
const knots = (speed: number, unit: SpeedUnit): number => {
  if (unit === 'KT' || speed === -1) return speed;
  return Math.round(unit === 'MPS' ? speed * KT_PER_MPS : speed / KM_PER_NAUTICAL_MILE);
};

/** Every unit ends in one of three letters; most tokens are rejected here. */
const mayEndInUnit = (token: string): boolean => {
  const last = token[token.length - 1];
  return last === 'T' || last === 'S' || last === 'H';
};

const WIND =
  /^(?:E(?=\d))?(\d{3}|VRB|\/{3})(?:(P|ABV)?(\d{2,3})|\/\/)(?:(G)(?:(P|ABV)?(\d{2,3})|\/\/))?(?:(MPS)|(KM\/?H)|KTS?)$/;

type Speed = { readonly value: number; readonly above: boolean };

const speedOf = (figures: string | undefined, above: string | undefined): Speed => ({
  value: figures === undefined ? -1 : digits(figures, 0, figures.length),
  above: above !== undefined,
});

export function readWind(token: string, state: ParseState): Verdict {
  if (token === 'CALM') return keepWind(token, state, 0, 0);
  if (!mayEndInUnit(token)) return undefined;
  if (token === 'CALMKT') return keepWind(token, state, 0, 0);
  const found = WIND.exec(token);
  if (found === null) return undefined;
  const [, ddd = '', meanAbove, meanFigures, g, gustAbove, gustFigures, mps, kmh] = found;
  const variable = ddd === 'VRB';
  const missing = ddd === '///';
  const direction = digits(ddd, 0, 3);
  if (direction > 360) return undefined;
  const unit = mps ? 'MPS' : kmh ? 'KMH' : 'KT';
  const mean = speedOf(meanFigures, meanAbove);
  const gust = g === undefined ? undefined : speedOf(gustFigures, gustAbove);
  if (!isSendable(mean, unit, state)) return undefined;
  // 240110KT, without a gust, may be 24010KT with a figure twice.
  if (mean.value > HIGHEST_FIGURE.KT && gust === undefined && /(\d)\1/.test(token)) return undefined;
  const hasNought = meanFigures?.length === 3 && mean.value < 100 && !mean.above;
  if (hasNought && mean.value > HIGHEST_WITH_NOUGHT) return undefined;
  if (gust !== undefined && !isSendable(gust, unit, state)) return undefined;
  const speedKt = knots(mean.value, unit);
  const gustKt = gust === undefined ? -1 : knots(gust.value, unit);
  if (speedKt > LIMITS.meanWind.highest || gustKt > LIMITS.gust.highest) return undefined;
  if (missing && mean.value === -1 && gust === undefined) return 'explained';
  // `WIND THR22 31014G26KT` after the pressure is a remark, beside the wind of the report.
  if (state.plainLanguage) return state.wind === '' ? undefined : 'explained';

  // 15.5.4: a speed of 0 is a calm, which has no direction (27000KT, VRB00KT).
  const isCalm = mean.value === 0 && gust === undefined && !missing;
  // 000 is also north at Canada's automatic stations: 59 of their reports have 350, 42 have 360, 10 have 000, 56 have 010.
  const isNorth = direction === 0 && !isCalm && state.station[0] === 'C' && state.tokens.includes('AO1');
  const kept = keepWind(token, state, isCalm ? 0 : variable ? 'VRB' : isNorth ? 360 : direction, speedKt);
  if (mean.above && kept === 'explained') state.fields.wspd_above = true;
  // 00028KT is neither a calm nor a wind from the north; a calm may have gusts.
  if (direction === 0 && speedKt > 0 && !isNorth) return 'contradictory';
  const verdict = hasNought && speedKt > 0 ? 'contradictory' : kept;
  if (kept !== 'explained' || gust === undefined || gust.value === -1) return verdict;
  // VRB02G02KT: a gust that does not exceed a light mean wind is not a gust.
  if (variable && gustKt === speedKt && !gust.above) return verdict;
  state.fields.wgst_kt = gustKt;
  if (gust.above) state.fields.wgst_above = true;
  // A gust is the maximum of the same ten minutes, so one not above the mean means a slip in either figure.
  if (gustKt <= speedKt && !gust.above) return 'contradictory';
  // A rule of this decoder, which no manual has: a gust above 99 kt needs a mean wind of 34 kt or more.
  return gustKt > HIGHEST_FIGURE.KT && speedKt < LOWEST_STORM_KT ? 'contradictory' : verdict;
}

/** North America and the Caribbean send 100 knots and more in three figures (FMH-1, 12.6.5); elsewhere these are a typing error. */
function isSendable({ value, above }: Speed, unit: SpeedUnit, { station }: ParseState): boolean {
  // Fast path: true for almost every wind.
  if (value <= HIGHEST_FIGURE.MPS && !above) return true;
  const highest = HIGHEST_FIGURE[unit];
  if (above) return value === highest;
  return value <= highest || (unit === 'KT' && /^[KPTC]/.test(station));
}

function keepWind(token: string, state: ParseState, direction: number | 'VRB', speedKt: number): Verdict {
  if (state.wind !== '') return state.wind === token ? 'explained' : 'contradictory';
  state.wind = token;
  const { fields } = state;
  if (direction === 'VRB') fields.wdir_vrb = true;
  else if (direction !== -1) fields.wdir = direction;
  if (speedKt !== -1) fields.wspd_kt = speedKt;
  return 'explained';
}

/** G20KT separated from its wind, even after the pressure (El Salvador). */
export function readTornGust(token: string, { wind, fields }: ParseState): Verdict {
  if (token.length !== 5 || !token.endsWith('KT') || !wind.endsWith('KT')) return undefined;
  const gust = digits(token, 1, 3);
  if (gust === -1 || fields.wspd_kt === undefined || gust <= fields.wspd_kt) return undefined;
  if (fields.wgst_kt !== undefined) return fields.wgst_kt === gust ? 'explained' : 'contradictory';
  fields.wgst_kt = gust;
  return 'explained';
}

/** Extremes of a wind direction that varies by 60 degrees or more: dndndnVdxdxdx (15.5.3). */
export function readWindVariation(token: string, state: ParseState): Verdict {
  if (token.length !== 7 || token[3] !== 'V') return undefined;
  if (isMissing(token, 0, 3) && isMissing(token, 4, 7)) return 'explained';
  const from = digits(token, 0, 3);
  const to = digits(token, 4, 7);
  if (from === -1 || to === -1 || from > 360 || to > 360) return undefined;
  const { fields } = state;
  if (fields.wdir_from !== undefined) {
    return fields.wdir_from === from && fields.wdir_to === to ? 'explained' : 'contradictory';
  }
  state.variation = token;
  fields.wdir_from = from;
  fields.wdir_to = to;
  return 'explained';
}

/** Also `28045KT/1205`, `28045 AT 1205Z`, and with or without a blank at any place. */
const PEAK_WIND = /^PK ?WND ?(\d\d0)(\d{2,3})(?:KT)?(?: ?\/ ?| AT )(?:(\d\d) ?)?(\d\d)Z?(?= |$)/;

/** Peak wind PK WND dddff(f)/(hh)mm in knots (FMH-1, 12.7.1). */
export function readPeakWind(_: string, state: ParseState): void {
  const { tokens, fields } = state;
  const groups = tokens.slice(state.at, state.at + 5).join(' ');
  const [found = '', ddd, speed = '', hour, minute] = PEAK_WIND.exec(groups) ?? [];
  // 000 is neither north nor calm (15.5.4). At Canada's automatic stations it is north: the mean wind in all six reports at hand.
  const direction = ddd === '000' && isFromSao(state) ? 360 : Number(ddd);
  if (!isWithinLimits(LIMITS.peakWindDirection, direction) || !isWithinLimits(LIMITS.gust, Number(speed)))
    return;
  // As in the body, three figures are for 100 knots and more, and such a wind requires a gale in the body.
  if (speed.length === 3 && (Number(speed) < 100 || strongestWind(fields) < LOWEST_STORM_KT)) return;
  const time = peakTime(hour, minute ?? '', state);
  if (time === undefined) return;
  state.at += found.split(' ').length - 1;
  if (fields.pk_wspd_kt !== undefined) return;
  fields.pk_wdir = direction;
  fields.pk_wspd_kt = Number(speed);
  if (time !== '') fields.pk_time = time;
}

/**
 * "hhmm". Without an hour, the latest such minute is meant; empty if the report has no time of its own. Undefined if
 * there is no such time.
 */
function peakTime(hour: string | undefined, minute: string, state: ParseState): string | undefined {
  if (Number(hour ?? 0) > 23 || Number(minute) > 59) return undefined;
  if (hour !== undefined) return hour + minute;
  if (state.hour === -1) return '';
  const latest = Number(minute) <= state.minute ? state.hour : (state.hour + 23) % 24;
  return String(latest).padStart(2, '0') + minute;
}
