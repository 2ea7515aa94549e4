import {
  type ConditionFields,
  FIELDS_FOR_CONDITIONS,
  insteadOfField,
  SCALAR_FIELDS,
  type ScalarField,
} from '../../clickhouse/conditions/fields.ts';
import { VISIBLE_DAY_FIELDS } from '../../clickhouse/days/fields.ts';
import { DAILY, DAY_NUMBERS } from '../../clickhouse/days/records.ts';
import { DECODED_FIELDS } from '../../clickhouse/model/fields.ts';
import {
  CALENDAR_UNITS,
  type CalendarUnit,
  CONDITION_FUNCTIONS,
  type ConditionFunction,
} from '../../clickhouse/statistics/question.ts';

/** What statistics are about (reports or days), and what the rows of it have. */
export type Subject = {
  readonly conditionFields: ConditionFields;
  readonly fields: ReadonlyMap<string, Pick<ScalarField, 'name' | 'values'>>;
  readonly directions: readonly string[];
  readonly conditions: readonly ConditionFunction[];
  readonly units: readonly CalendarUnit[];
  /** Whether groups can be made by values, such as wind sectors. */
  readonly hasGroupsOfValues: boolean;
  readonly examples: { readonly field: string; readonly condition: string; readonly share: string };
};

const directionsOf = (fields: readonly { readonly name: string; readonly unit?: string | undefined }[]) =>
  fields.filter(({ unit }) => unit === 'degrees true').map(({ name }) => name);

export const REPORT_SUBJECT: Subject = {
  conditionFields: FIELDS_FOR_CONDITIONS,
  fields: SCALAR_FIELDS,
  directions: directionsOf(DECODED_FIELDS),
  conditions: CONDITION_FUNCTIONS,
  units: CALENDAR_UNITS,
  hasGroupsOfValues: true,
  examples: { field: 'temp_c', condition: 'visib_m < 800', share: 'low:share(visib_m < 800)' },
};

export const DAY_SUBJECT: Subject = {
  conditionFields: DAILY.conditionFields,
  fields: DAY_NUMBERS,
  directions: directionsOf(VISIBLE_DAY_FIELDS),
  conditions: ['share', 'count'],
  units: ['year', 'season', 'month'],
  hasGroupsOfValues: false,
  examples: { field: 'max_temp_c', condition: 'max_temp_c >= 30', share: 'hot:share(max_temp_c >= 30)' },
};

export const fieldsWith = ({ fields }: Subject, kind: 'number' | 'choice') =>
  [...fields].filter(([, { values }]) => values.kind === kind).map(([name]) => name);

export const fieldInstead = (field: string, subject: Subject) => {
  if (subject === REPORT_SUBJECT && DAY_SUBJECT.fields.has(field)) return 'it is one of days: write of=days';
  if (subject === DAY_SUBJECT && REPORT_SUBJECT.fields.has(field))
    return 'it is one of reports: leave out of=days';
  const names = fieldsWith(subject, 'number');
  return insteadOfField(field, names, `there are ${names.join(', ')}; a suffix is another unit`);
};

/**
 * `function` or `function(argument)`; `of` is empty if the text is something else. The steps read the text once each: a single
 * pattern would try every way to divide a run of blanks.
 */
export function parseCall(text: string): { readonly of: string; readonly argument?: string } {
  const call = text.trim();
  const [of = ''] = /^\w*/.exec(call) ?? [];
  const rest = call.slice(of.length).trimStart();
  if (rest === '') return { of };
  if (!rest.startsWith('(') || !rest.endsWith(')') || rest.length < 2) return { of: '' };
  return { of, argument: rest.slice(1, -1) };
}

export function isOneOf<const T extends string>(values: readonly T[], value: string): value is T {
  return (values as readonly string[]).includes(value);
}

/** The items of a list, split at commas outside parentheses and quoted text, and how many characters are before each. */
export function splitList(list: string) {
  const items: { readonly text: string; readonly offset: number }[] = [];
  let [begin, depth, isQuoted] = [0, 0, false];
  const add = (end: number) => {
    const text = list.slice(begin, end);
    items.push({ text: text.trim(), offset: begin + text.length - text.trimStart().length });
    begin = end + 1;
  };
  for (let at = 0; at < list.length; at += 1) {
    const character = list[at];
    if (character === "'") isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth <= 0) add(at);
  }
  add(list.length);
  return items;
}
