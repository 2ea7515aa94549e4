import { doubleOf, FIELD_COLUMNS, type FieldColumn } from './field-columns.ts';
import { type Conversion, conversionOf, conversionTo, inAllUnits, NamedFields } from './units.ts';

/** The source whose text of the report the archive has: a request can name it like a field. */
export const SOURCE_FIELD = {
  name: 'source',
  type: 'String',
  meaning: 'the collection that text and type are from, such as `iem`; `meta.sources` says how to cite it',
} as const;

const LISTED: readonly FieldColumn[] = [
  ...FIELD_COLUMNS.values(),
  {
    ...SOURCE_FIELD,
    storedType: 'String',
    sql: "if(clean, CAST(source, 'String'), NULL)",
    comparableSql: 'if(clean, source, NULL)',
  },
];

const IN_UNITS = inAllUnits(LISTED, converted);

/** The fields, each in other units (`temp_f`, D83), and the wind at a runway: `crosswind(40)` is `crosswind_40` (D82). */
export const NAMED_COLUMNS = new NamedFields(
  LISTED.map(whateverItsUnit),
  (name) => windAlong(name) ?? IN_UNITS.get(name),
);

function converted(of: FieldColumn, conversion: Conversion): FieldColumn {
  const { name, unit, printed } = conversion;
  return { ...of, name, type: 'Float64', sql: printed(doubleOf(of, of.sql)), unit, of, conversion };
}

/** When a request names `visib_sm` or `altim_inhg`, reports in meters and hectopascals have them too, converted. */
function whateverItsUnit(own: FieldColumn, n: number, all: readonly FieldColumn[]): FieldColumn {
  // The first field of a quantity is always there.
  const [of, conversion] = conversionOf(own.name, all.slice(0, n)) ?? [];
  if (of === undefined || conversion === undefined) return own;
  const either = (other: string) => `ifNull(${doubleOf(own, own.sql)}, ${other})`;
  return {
    ...own,
    type: 'Float64',
    storedType: 'Float64',
    sql: either(conversion.printed(doubleOf(of, of.sql))),
    comparableSql: either(conversion.exact(doubleOf(of, of.sql))),
    near: { sql: of.comparableSql, toStored: conversion.toStored },
  };
}

const WIND =
  /^(crosswind|headwind|tailwind)(?:_([a-z]+))?(?:\(\s*(\d{1,3}(?:\.\d)?)\s*(?:;\s*(gust)\s*)?\)|_(\d{1,3}(?:_\d)?)(_gust)?)$/;
const SIGNED = {
  crosswind: ['abs(', 'sin', ')'],
  headwind: ['', 'cos', ''],
  tailwind: ['-', 'cos', ''],
} as const;

/** The wind along or across a runway, or undefined. Its direction is a number, so the text is safe in SQL. */
function windAlong(text: string): FieldColumn | undefined {
  const [, kind = '', suffix, inCall, gustOfCall, inName, gustOfName] = WIND.exec(text) ?? [];
  const degrees = Number(inCall ?? inName?.replace('_', '.'));
  if (!(degrees <= 360)) return undefined;
  const isGust = (gustOfCall ?? gustOfName) !== undefined;
  const end = `${String(degrees).replace('.', '_')}${isGust ? '_gust' : ''}`;
  const [speed, above] = isGust
    ? ['ifNull(wgst_kt, wspd_kt)', 'if(isNull(wgst_kt), wspd_above, wgst_above)']
    : ['wspd_kt', 'wspd_above'];
  const [before, of, after] = SIGNED[kind as keyof typeof SIGNED];
  // Direction 0 is calm. Rounded, a wind of 20 kt from 30 degrees has 10 kt across, and none from 0. + 0: no -0.
  const part = `${before}${speed} * ${of}(radians(toFloat64(nullIf(wdir, 0)) - ${degrees}))${after}`;
  const sql = `if(${speed} = 0, 0, round(${part}, 4) + 0)`;
  const column: FieldColumn = {
    name: `${kind}_${end}`,
    type: 'Float64',
    storedType: 'Float64',
    sql,
    comparableSql: sql,
    marks: { less: `${above} AND ${sql} < 0`, more: `${above} AND ${sql} > 0` },
    unit: 'kt',
    meaning: `${kind} of a runway of ${degrees} degrees`,
  };
  if (suffix === undefined) return column;
  const conversion = conversionTo('wspd_kt', suffix, `${kind}_${suffix}_${end}`);
  return conversion && converted(column, conversion);
}
