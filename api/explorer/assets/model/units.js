import { formatNumber } from '../format.js';

/** @typedef {'temperature' | 'speed' | 'pressure' | 'visibility' | 'amount' | 'height' | 'time'} Quantity */
/** @typedef {{ readonly key: string, readonly name: string, readonly factor?: number, readonly zero?: number, readonly decimals?: number }} Unit */

/**
 * The units that a reader can choose: the first is that of the service. `zero` is what 0 of it is.
 * @type {Readonly<Record<Quantity, readonly [Unit, ...Unit[]]>>}
 */
export const UNITS = {
  temperature: [
    { key: '', name: '°C' },
    { key: 'f', name: '°F', factor: 1.8, zero: 32 },
  ],
  speed: [
    { key: '', name: 'kt' },
    { key: 'ms', name: 'm/s', factor: 1852 / 3600, decimals: 1 },
  ],
  pressure: [
    { key: '', name: 'hPa' },
    { key: 'inhg', name: 'inHg', factor: 1 / 33.8639, decimals: 2 },
  ],
  visibility: [
    { key: '', name: 'as reported' },
    { key: 'm', name: 'm' },
    { key: 'sm', name: 'SM' },
  ],
  amount: [
    { key: '', name: 'mm' },
    { key: 'in', name: 'in', factor: 1 / 25.4, decimals: 2 },
  ],
  height: [{ key: '', name: 'ft' }],
  time: [{ key: '', name: 'h' }],
};

/** @type {readonly string[]} */
let chosen = [];

/** Sets the units of the page. @param {readonly string[]} keys */
export function chooseUnits(keys) {
  chosen = keys;
}

/** @param {Quantity} quantity */
export const unitOf = (quantity) =>
  UNITS[quantity].find(({ key }) => chosen.includes(key)) ?? UNITS[quantity][0];

/** A value of the service in the chosen unit. @template {number | undefined} T @param {Quantity} quantity @param {T} value */
export function convert(quantity, value) {
  const { factor, zero = 0 } = unitOf(quantity);
  return value === undefined || factor === undefined ? value : value * factor + zero;
}

/** A converted value as text. @param {Quantity} quantity @param {number | undefined} value @param {number} [decimals] more than usual */
export const numberOf = (quantity, value, decimals = 0) =>
  formatNumber(value, Math.max(decimals, unitOf(quantity).decimals ?? 0));

/** The same with its unit. @param {Quantity} quantity @param {number | undefined} value @param {number} [decimals] */
export const textOf = (quantity, value, decimals) =>
  `${numberOf(quantity, value, decimals)} ${unitOf(quantity).name}`;
