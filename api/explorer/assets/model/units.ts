import { formatNumber } from '../format.ts';

/** `decimals` is the least number of decimals; `zero` is the value of 0 of the service's unit in this unit. */
function unit(key: string, name: string, factor?: number, decimals = 0, zero = 0) {
  return { key, name, factor, decimals, zero };
}
type Unit = ReturnType<typeof unit>;

/** The units that a reader can choose: the first is that of the service. */
export const UNITS = {
  temperature: [unit('', '°C'), unit('f', '°F', 1.8, 0, 32)],
  speed: [unit('', 'kt'), unit('ms', 'm/s', 1852 / 3600, 1)],
  pressure: [unit('', 'hPa'), unit('inhg', 'inHg', 1 / 33.8639, 2)],
  visibility: [unit('', 'as reported'), unit('m', 'm'), unit('sm', 'SM')],
  amount: [unit('', 'mm'), unit('in', 'in', 1 / 25.4, 2)],
  height: [unit('', 'ft')],
  time: [unit('', 'h')],
} satisfies Record<string, readonly [Unit, ...Unit[]]>;
export type Quantity = keyof typeof UNITS;

let chosen: readonly string[] = [];

export function chooseUnits(keys: readonly string[]) {
  chosen = keys;
}

export const unitOf = (quantity: Quantity): Unit =>
  UNITS[quantity].find(({ key }) => chosen.includes(key)) ?? UNITS[quantity][0];

/** A value of the service in the chosen unit. */
export function convert<T extends number | undefined>(quantity: Quantity, value: T) {
  const { factor, zero } = unitOf(quantity);
  return value === undefined || factor === undefined ? value : value * factor + zero;
}

/** A converted value as text, with more decimals than usual if asked. */
export const numberOf = (quantity: Quantity, value: number | undefined, decimals = 0) =>
  formatNumber(value, Math.max(decimals, unitOf(quantity).decimals));

export const textOf = (quantity: Quantity, value: number | undefined, decimals?: number) =>
  `${numberOf(quantity, value, decimals)} ${unitOf(quantity).name}`;
