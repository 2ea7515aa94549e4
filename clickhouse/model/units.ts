/** One of this unit is `n / d` of the first unit of its quantity; `zero` is the value in this unit of 0 in the first. */
type Unit = {
  readonly label: string;
  readonly quantity: 'temperature' | 'speed' | 'length' | 'amount' | 'pressure' | 'duration';
  readonly factor: readonly [n: number, d: number];
  readonly zero?: number;
};

/**
 * Units by the suffix that names of fields have (D83). Factors are exact: the foot, the inch and the mile of 1959, the knot of a
 * nautical mile of 1,852 m, and mercury of 13,595.1 kg/m³ under 9.80665 m/s² (WMO-No. 8, volume I, chapter 3).
 */
const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ['c', { label: '°C', quantity: 'temperature', factor: [1, 1] }],
  ['f', { label: '°F', quantity: 'temperature', factor: [5, 9], zero: 32 }],
  ['k', { label: 'K', quantity: 'temperature', factor: [1, 1], zero: 273.15 }],
  ['ms', { label: 'm/s', quantity: 'speed', factor: [1, 1] }],
  ['kt', { label: 'kt', quantity: 'speed', factor: [1852, 3600] }],
  ['kmh', { label: 'km/h', quantity: 'speed', factor: [1000, 3600] }],
  ['mph', { label: 'mph', quantity: 'speed', factor: [1_609_344, 3_600_000] }],
  ['m', { label: 'm', quantity: 'length', factor: [1, 1] }],
  ['km', { label: 'km', quantity: 'length', factor: [1000, 1] }],
  ['ft', { label: 'ft', quantity: 'length', factor: [3048, 10_000] }],
  ['sm', { label: 'statute miles', quantity: 'length', factor: [1_609_344, 1000] }],
  ['nm', { label: 'nautical miles', quantity: 'length', factor: [1852, 1] }],
  ['mm', { label: 'mm', quantity: 'amount', factor: [1, 1] }],
  ['cm', { label: 'cm', quantity: 'amount', factor: [10, 1] }],
  ['in', { label: 'in', quantity: 'amount', factor: [254, 10] }],
  ['hpa', { label: 'hPa', quantity: 'pressure', factor: [1, 1] }],
  ['kpa', { label: 'kPa', quantity: 'pressure', factor: [10, 1] }],
  ['inhg', { label: 'inHg', quantity: 'pressure', factor: [3_386_388_640_341, 100_000_000_000] }],
  ['mmhg', { label: 'mmHg', quantity: 'pressure', factor: [133_322_387_415, 100_000_000_000] }],
  ['min', { label: 'min', quantity: 'duration', factor: [1, 60] }],
  ['h', { label: 'h', quantity: 'duration', factor: [1, 1] }],
]);

/** Decimal places of converted values in answers. No field has more, and different values stay different. */
const DECIMAL_PLACES = 4;

export type Conversion = {
  readonly name: string;
  readonly unit: string;
  /** SQL for a number of the field in that unit: `exact` as a double, `printed` as answers print it. */
  readonly exact: (sql: string) => string;
  readonly printed: (sql: string) => string;
  /** The number in the unit of the field for a number in that unit: the nearest double, which equals a stored decimal exactly. */
  readonly toStored: (value: number) => number;
};

const SUFFIX = /^(\w+)_([a-z]+)$/;

const unitOf = (field: string) => UNITS.get(SUFFIX.exec(field)?.[2] ?? '');

/** The unit that the suffix of a name says. */
export const unitOfName = (field: string) => unitOf(field)?.label;

/** The conversion to the unit of a suffix; undefined where the field has no unit of that quantity. */
export function conversionTo(field: string, suffix: string, name: string): Conversion | undefined {
  const [from, to] = [unitOf(field), UNITS.get(suffix)];
  // No field is stored in °F or K.
  if (from === undefined || to === undefined || from.quantity !== to.quantity || from.zero) return undefined;
  const { zero = 0, label } = to;
  const [n, d] = reduced(from.factor[0] * to.factor[1], from.factor[1] * to.factor[0]);
  const exact = (sql: string) => `(toFloat64(${sql}) * ${n} / ${d}${zero === 0 ? '' : ` + ${zero}`})`;
  return {
    name,
    unit: label,
    exact,
    printed: (sql) => `round(${exact(sql)}, ${DECIMAL_PLACES})`,
    toStored: (value) => {
      const places = Math.max(2, /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0);
      const whole = Math.round(value * 10 ** places);
      // Whole numbers up to 2^53 are exact, so the quotient is rounded once.
      return whole / 10 ** places === value
        ? ((whole - Math.round(zero * 10 ** places)) * d) / (n * 10 ** places)
        : ((value - zero) * d) / n;
    },
  };
}

function reduced(n: number, d: number): readonly [number, number] {
  const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
  const common = divisor(n, d);
  return [n / common, d / common];
}

/** Fields by name. It lists some fields, and `get` also finds others by their names: the listed ones in other units. */
export class NamedFields<Field extends { readonly name: string }> extends Map<string, Field> {
  readonly #other: (name: string) => Field | undefined;

  constructor(listed: Iterable<Field>, other: (name: string) => Field | undefined) {
    super([...listed].map((field) => [field.name, field]));
    this.#other = other;
  }

  override get(name: string): Field | undefined {
    return super.get(name) ?? this.#other(name);
  }

  override has(name: string): boolean {
    return this.get(name) !== undefined;
  }
}

export function inAllUnits<Field extends { readonly name: string }>(
  listed: Iterable<Field>,
  converted: (field: Field, conversion: Conversion) => Field,
): NamedFields<Field> {
  const fields: NamedFields<Field> = new NamedFields(listed, (name): Field | undefined => {
    const [of, conversion] = conversionOf(name, fields.values()) ?? [];
    return of && conversion && converted(of, conversion);
  });
  return fields;
}

export function conversionOf<Field extends { readonly name: string }>(
  name: string,
  listed: Iterable<Field>,
): readonly [Field, Conversion] | undefined {
  const [, root = '', suffix = ''] = SUFFIX.exec(name) ?? [];
  for (const field of listed) {
    const conversion =
      SUFFIX.exec(field.name)?.[1] === root ? conversionTo(field.name, suffix, name) : undefined;
    if (conversion !== undefined) return [field, conversion];
  }
  return undefined;
}

/** The names, one for each of its units, of the field that a name means. Empty if the suffix of the name is not a unit. */
export function namesInUnits(name: string, listed: readonly string[]): readonly string[] {
  const [, root, suffix = ''] = SUFFIX.exec(name) ?? [];
  const of = listed.find((each) => SUFFIX.exec(each)?.[1] === root);
  if (root === undefined || of === undefined || !UNITS.has(suffix)) return [];
  const suffixes = [...UNITS.keys()].filter((each) => conversionTo(of, each, of) !== undefined);
  return suffixes.map((each) => `${root}_${each}`);
}
