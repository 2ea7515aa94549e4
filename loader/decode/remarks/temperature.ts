import { digits } from '../characters.ts';
import { decimal } from '../groups/temperature.ts';
import { LIMITS } from '../limits.ts';
import type { ParseState } from '../parse-state.ts';

/**
 * Temperatures in tenths of a degree: the hourly TsnTTTsnTTT (FMH-1, 12.7.2.d), the six-hourly extremes
 * 1snTTT and 2snTTT, and those of 24 hours 4snTTTsnTTT (12.7.2.e to g). sn is 1 below zero.
 */

const LOWEST_TENTHS = LIMITS.temperature.lowest * 10;
const HIGHEST_TENTHS = LIMITS.temperature.highest * 10;
/** Beyond this, the tenths and the body are not one measurement; NOAA also keeps the body then. */
const FARTHEST_FROM_BODY_C = 1;

/** Tenths from the four characters at `start`; undefined if they are not a temperature. */
function tenths(token: string, start: number): number | undefined {
  const sign = token[start];
  const size = digits(token, start + 1, start + 4);
  if (size === -1 || (sign !== '0' && sign !== '1')) return undefined;
  const value = sign === '1' && size !== 0 ? -size : size;
  return value > HIGHEST_TENTHS || value < LOWEST_TENTHS ? undefined : value;
}

export function readHourlyTemperature(token: string, state: ParseState): void {
  if (token.length !== 9 && token.length !== 5) return;
  const { fields, temperatureC, dewPointC } = state;
  if (token.length === 9 && digits(token, 1, 9) !== -1) state.hasAdditiveData = true;
  const temperature = nearBody(temperatureC, tenths(token, 1));
  const dewPoint = token.length === 5 ? undefined : nearBody(dewPointC, tenths(token, 5));
  if (!isPossible(dewPoint ?? dewPointC * 10, temperature ?? temperatureC * 10)) return;
  if (temperature !== undefined) fields.temp_c = decimal(temperature);
  if (dewPoint !== undefined) fields.dewp_c = decimal(dewPoint);
}

const HIGHEST_DEW_POINT = LIMITS.dewPoint.highest * 10;
const HIGHEST_EXCESS = LIMITS.dewPointExcess.highest * 10;

/** Whether the dew point is possible given the temperature; an unknown value is NaN and contradicts nothing. */
const isPossible = (dewPoint: number, temperature: number): boolean =>
  !(dewPoint > HIGHEST_DEW_POINT) && !(dewPoint - temperature > HIGHEST_EXCESS);

const nearBody = (body: number, inTenths: number | undefined): number | undefined =>
  inTenths !== undefined && isNear(body, inTenths) ? inTenths : undefined;

const isNear = (body: number, inTenths: number): boolean =>
  Number.isNaN(body) || Math.abs(body * 10 - inTenths) <= FARTHEST_FROM_BODY_C * 10;

export function readExtreme(token: string, state: ParseState): void {
  const { fields } = state;
  state.hasBounds = true;
  if (token.length === 9) {
    const highest = tenths(token, 1);
    const lowest = tenths(token, 5);
    if (highest === undefined || lowest === undefined) return;
    fields.maxt24_c ??= highest / 10;
    fields.mint24_c ??= lowest / 10;
    return;
  }
  const value = tenths(token, 1);
  if (value === undefined) return;
  if (token[0] === '1') fields.maxt6_c ??= value / 10;
  else fields.mint6_c ??= value / 10;
}
