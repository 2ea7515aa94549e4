import { type ConditionFields, scalarsInUnits } from '../conditions/fields.ts';
import { type ColumnType, columnsInUnits } from '../statements/print-rows.ts';
import { comparableDayValue, type DayFieldType, printedDayValue, VISIBLE_DAY_FIELDS } from './fields.ts';

/** What conditions on days can name: the fields that are numbers. */
export const DAY_CONDITION_FIELDS: ConditionFields = scalarsInUnits(
  VISIBLE_DAY_FIELDS.filter(({ type }) => type !== 'DateTime').map((field) => ({
    name: field.name,
    sql: field.name,
    comparableSql: comparableDayValue(field),
    values: { kind: 'number', sqlType: 'Float64', ...(field.type === 'Flag' && { isBit: true }) },
  })),
);

const TYPES: Readonly<Record<DayFieldType, ColumnType>> = {
  Float64: 'Nullable(Float64)',
  Temperature: 'Nullable(Float64)',
  Int32: 'Nullable(Int32)',
  Flag: 'Nullable(Int32)',
  DateTime: "Nullable(DateTime64(6, 'UTC'))",
};

/** Fields in answers. */
export const DAY_COLUMNS = columnsInUnits(
  VISIBLE_DAY_FIELDS.map((field) => {
    const { name, type, unit, meaning } = field;
    return { name, sql: printedDayValue(field), type: TYPES[type], unit, meaning };
  }),
);
