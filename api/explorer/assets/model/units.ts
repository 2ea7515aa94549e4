import { formatNumber } from '../format.ts';

export type Quantity = 'temperature' | 'speed' | 'pressure' | 'visibility' | 'amount' | 'height' | 'time';
type Unit = {
  readonly key: string;
  readonly name: string;
  readonly factor?: number;
  readonly zero?: number;
  readonly decimals?: number;
};

/** The units that a reader can choose: the first is that of the service. `zero` is what 0 of it is. */
export const UNITS: Readonly<Record<Quantity, readonly [Unit, ...Unit[]]>> = {
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

let chosen: readonly string[] = [];

/** Sets the units of the page. */
export function chooseUnits(keys: readonly string[]) {
  chosen = keys;
}

export const unitOf = (quantity: Quantity) =>
  UNITS[quantity].find(({ key }) => chosen.includes(key)) ?? UNITS[quantity][0];

/** A value of the service in the chosen unit. */
export function convert<T extends number | undefined>(quantity: Quantity, value: T) {
  const { factor, zero = 0 } = unitOf(quantity);
  return value === undefined || factor === undefined ? value : value * factor + zero;
}

/** A converted value as text. @param decimals more than usual */
export const numberOf = (quantity: Quantity, value: number | undefined, decimals = 0) =>
  formatNumber(value, Math.max(decimals, unitOf(quantity).decimals ?? 0));

/** The same with its unit. */
export const textOf = (quantity: Quantity, value: number | undefined, decimals?: number) =>
  `${numberOf(quantity, value, decimals)} ${unitOf(quantity).name}`;
