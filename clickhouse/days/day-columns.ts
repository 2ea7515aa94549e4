import { type ConditionFields, scalarsInUnits } from '../conditions/fields.ts';
import { columnsInUnits } from '../statements/print-rows.ts';
import { answerType, comparableDayValue, printedDayValue, VISIBLE_DAY_FIELDS } from './fields.ts';

/** What conditions on days can name: the fields that are numbers. */
export const DAY_CONDITION_FIELDS: ConditionFields = scalarsInUnits(
  VISIBLE_DAY_FIELDS.filter(({ type }) => type !== 'DateTime').map((field) => ({
    name: field.name,
    sql: field.name,
    comparableSql: comparableDayValue(field),
    values: { kind: 'number', sqlType: 'Float64', ...(field.type === 'Flag' && { isBit: true }) },
  })),
);

export const DAY_COLUMNS = columnsInUnits(
  VISIBLE_DAY_FIELDS.map((field) => {
    const { name, unit, meaning } = field;
    return { name, sql: printedDayValue(field), type: answerType(field), unit, meaning };
  }),
);
