import { digits } from './characters.ts';
import {
  isFromSao,
  readBareTendency,
  readQfeRemark,
  readRepeatedInches,
  readSeaLevelPressure,
  readTendency,
} from './groups/pressure.ts';
import { readColourRemark } from './groups/supplementary.ts';
import { readExtreme, readHourlyTemperature } from './groups/temperature.ts';
import { readPeakWind } from './groups/wind.ts';
import { isReportStart, readMaintenanceSign } from './header.ts';
import { isWithinLimits, LIMITS, type Limits } from './limits.ts';
import { nearestHour, type ParseState } from './parse-state.ts';

/**
 * Everything after RMK (FMH-1, 12.7, with the practice of Canada, Mexico, Japan and the former Soviet Union). Remarks
 * are free text, so a group is read only if the whole token has its form, and an unknown token is not an error (D8).
 */
export function readRemarks(state: ParseState): void {
  const { tokens } = state;
  state.hasAdditiveData = sendsAdditiveData(state.station);
  for (; state.at < tokens.length; state.at++) {
    const token = tokens[state.at] ?? '';
    if ((token.length === 4 || token.length === 5) && isReportStart(tokens, state.at)) return;
    readRemark(token[0] === 'T' || token[0] === '4' ? joinTornGroup(token, state) : token, state);
  }
}

/**
 * Groups that begin with a figure are American (FMH-1) and, except for amounts, Canadian and Mexican; the same figures
 * mean other things elsewhere.
 */
const sendsAdditiveData = (station: string): boolean => /^[KPTCMN]/.test(station);

/** T00061006 or 401120084 with a blank inside: neither part is a group of its own (`T000 61006` is no amount). */
function joinTornGroup(token: string, state: ParseState): string {
  const next = state.tokens[state.at + 1] ?? '';
  if (next === '' || token.length + next.length !== 9) return token;
  if (digits(token, 1, token.length) === -1 || digits(next, 0, next.length) === -1) return token;
  state.at += 1;
  return token + next;
}

type Read = (token: string, state: ParseState) => void;

type RemarkGroup = {
  /** The start of the token; the first matching row gets it. */
  readonly begins: string;
  /** The length of the whole token; any if omitted. */
  readonly length?: number;
  /** Whether the figures mean this in the station's reports; always if omitted. */
  readonly isSent?: (state: ParseState) => boolean;
  readonly read: Read;
};

const isAdditive = ({ hasAdditiveData }: ParseState): boolean => hasAdditiveData;

/** Mexico sends amounts and depths in millimeters or centimeters. */
const isInInches = (state: ParseState): boolean => state.hasAdditiveData && !state.station.startsWith('MM');

/** Every remark that is read; the functions below give the forms. */
const REMARK_GROUPS: readonly RemarkGroup[] = [
  { begins: 'AO', read: readStationType },
  { begins: 'A0', read: readStationType },
  { begins: 'A', length: 5, read: readRepeatedInches },
  { begins: 'PK', read: readPeakWind },
  // The pressure rises or falls rapidly; the sensor of lightning or the gauge does not work.
  { begins: 'PRESRR', length: 6, read: flag('presrr') },
  { begins: 'PRESFR', length: 6, read: flag('presfr') },
  { begins: 'TSNO', length: 4, read: flag('tsno') },
  { begins: 'PNO', length: 3, read: flag('pno') },
  { begins: 'TS', read: readThunderstormTimes },
  { begins: 'SLP', read: readSeaLevelPressure },
  { begins: 'P', length: 5, read: amountOf('pcp1h', LIMITS.hourlyAmount) },
  { begins: '6', length: 5, isSent: isInInches, read: readSeveralHours },
  { begins: '7', length: 5, isSent: isInInches, read: amountOf('pcp24h', LIMITS.dailyAmount) },
  { begins: '4/', length: 5, isSent: isInInches, read: figuresOf('snow_in', 2, 1, LIMITS.snowDepth.highest) },
  { begins: '933', length: 6, isSent: isInInches, read: figuresOf('swe_in', 3, 10) },
  // Sunshine of the day before in minutes, 98mmm; the largest hailstone, GR d.
  { begins: '98', length: 5, isSent: isAdditive, read: figuresOf('sun_min', 2) },
  { begins: 'GR', length: 2, read: readHailSize },
  { begins: 'SNINCR', length: 6, read: readSnowIncrease },
  { begins: 'I1', length: 5, read: amountOf('ice1h', LIMITS.iceAccretion, 2) },
  { begins: 'I3', length: 5, read: amountOf('ice3h', LIMITS.iceAccretion, 2) },
  { begins: 'I6', length: 5, read: amountOf('ice6h', LIMITS.iceAccretion, 2) },
  { begins: 'T', read: readHourlyTemperature },
  { begins: '1', length: 5, isSent: isAdditive, read: readExtreme },
  { begins: '2', length: 5, isSent: isAdditive, read: readExtreme },
  { begins: '4', length: 9, isSent: isAdditive, read: readExtreme },
  // 5appp, and appp of Canada's automatic stations.
  { begins: '5', length: 5, isSent: isAdditive, read: readTendency },
  ...[...'012345678'].map((begins) => ({ begins, length: 4, isSent: isFromSao, read: readBareTendency })),
  ...[...'0123'].map((begins) => ({ begins, length: 3, isSent: isFromSao, read: readBareTendency })),
  { begins: 'M', length: 1, isSent: isFromSao, read: readBareTendency },
  { begins: 'QFE', read: readQfeRemark },
  ...'BLU WHT GRN YLO AMB RED BLACK'.split(' ').map((begins) => ({ begins, read: readColourRemark })),
  { begins: '$', length: 1, read: readMaintenanceSign },
];

const BY_CODE: readonly (readonly RemarkGroup[])[] = Array.from({ length: 128 }, (_, code) =>
  REMARK_GROUPS.filter(({ begins }) => begins.charCodeAt(0) === code),
);

function readRemark(token: string, state: ParseState): void {
  for (const { begins, length, isSent, read } of BY_CODE[token.charCodeAt(0)] ?? []) {
    if (length !== undefined && length !== token.length) continue;
    if (begins.length > 1 && !token.startsWith(begins)) continue;
    if (isSent === undefined || isSent(state)) read(token, state);
    return;
  }
}

/**
 * Type of the automatic station, AO1 or AO2 (FMH-1, 12.7.1), often misspelled with a zero, and AO2A of the United
 * States Air Force. Its bases abroad send additive data as well.
 */
function readStationType(token: string, state: ParseState): void {
  const figure = token[2];
  if (figure !== '1' && figure !== '2') return;
  state.hasAdditiveData = true;
  if (token.length <= 4) state.fields.station_type = figure === '1' ? 'AO1' : 'AO2';
}

/** Begin and end of thunderstorms, `TS`, then `B` or `E` with `hhmm`, or `mm` in the hour before the report (12.7.1). */
const THUNDERSTORM_TIMES = /^(?:TS(?:[BE]\d\d(?:\d\d)?)+)+/;

/** Minutes from the end of a thunderstorm to a report of its time. */
const STILL_PRESENT = 10;

/**
 * All reports of an hour repeat the end of a thunderstorm. So one that began before the last report counts only where it has
 * just ended: at KJFK all 13 days with thunder of GHCN-Daily (November 2019 to June 2020) are then found.
 */
function readThunderstormTimes(token: string, { fields, hour, minute }: ParseState): void {
  const [times] = THUNDERSTORM_TIMES.exec(token) ?? [];
  if (times === undefined) return;
  const end = times.slice(times.lastIndexOf('E') + 1);
  const ago =
    (hour * 60 + minute - Number(end.slice(0, -2)) * 60 - Number(end.slice(-2)) + 1440) %
    (end.length === 4 ? 1440 : 60);
  if (times.includes('B') || (hour !== -1 && ago <= STILL_PRESENT)) fields.ts_remark = true;
}

function flag(name: 'presrr' | 'presfr' | 'tsno' | 'pno'): Read {
  return (_, { fields }) => {
    fields[name] = true;
  };
}

/*
 * Amounts in inches: hourly Prrrr, 6RRRR, 7RRRR (FMH-1, 12.7.2.a; hundredths, all zeros mean a trace), snow depth 4/sss,
 * SNINCR, water equivalent 933RRR (tenths), ice accretion I1nnn, I3nnn, I6nnn.
 */

type PeriodField = 'pcp1h' | 'pcp3h' | 'pcp6h' | 'pcp24h' | 'ice1h' | 'ice3h' | 'ice6h';

function amountOf(period: PeriodField, limits: Limits, start = 1): Read {
  return (token, state) => {
    const { fields } = state;
    const amount = digits(token, start, 5);
    if (!isWithinLimits(limits, amount / 100) || fields[`${period}_in`] !== undefined) return;
    fields[`${period}_in`] = amount / 100;
    if (amount === 0) fields[`${period}_trace`] = true;
  };
}

const readSixHours = amountOf('pcp6h', LIMITS.severalHoursAmount);
const readThreeHours = amountOf('pcp3h', LIMITS.severalHoursAmount);

/** 6RRRR covers six hours in main synoptic reports, three in intermediate ones: all 2,535 at hand are of these hours. */
function readSeveralHours(token: string, state: ParseState): void {
  const hour = nearestHour(state);
  if (hour % 6 === 0) readSixHours(token, state);
  else if (hour % 3 === 0) readThreeHours(token, state);
}

/** The figures from `start`, divided by `parts`. */
function figuresOf(name: 'snow_in' | 'swe_in' | 'sun_min', start: number, parts = 1, highest = 999): Read {
  return (token, { fields }) => {
    const value = digits(token, start, token.length) / parts;
    if (value >= 0 && value <= highest) fields[name] ??= value;
  };
}

/** SNINCR i/d: the increase of the last hour and the depth on the ground, whole inches. */
function readSnowIncrease(_: string, state: ParseState): void {
  const [, increase, depth] = /^(\d{1,3})\/(\d{1,3})$/.exec(state.tokens[state.at + 1] ?? '') ?? [];
  if (
    !isWithinLimits(LIMITS.snowIncrease, Number(increase)) ||
    !isWithinLimits(LIMITS.snowDepth, Number(depth))
  )
    return;
  state.at += 1;
  state.fields.snow_inc_in ??= Number(increase);
  state.fields.snow_in ??= Number(depth);
}

/** `GR 1 3/4`, `GR 1/2`; `GR LESS THAN 1/4` is no number. */
function readHailSize(_: string, { tokens, at, fields }: ParseState): void {
  const size = `${tokens[at + 1]} ${tokens[at + 2]}`;
  const [, whole = '0', numerator = '0', denominator = '1'] =
    /^(?:(\d)(?: |$))?(?:([1-3])\/([24])(?= |$))?/.exec(size) ?? [];
  const inches = Number(whole) + Number(numerator) / Number(denominator);
  if (isWithinLimits(LIMITS.hail, inches)) fields.hail_in ??= inches;
}
