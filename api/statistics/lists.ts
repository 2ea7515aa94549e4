import {
  type ConditionFields,
  FIELDS_FOR_CONDITIONS,
  insteadOfField,
  SCALAR_FIELDS,
  type ScalarField,
} from '../../clickhouse/conditions/fields.ts';
import { DAY_CONDITION_FIELDS } from '../../clickhouse/days/day-columns.ts';
import { VISIBLE_DAY_FIELDS } from '../../clickhouse/days/fields.ts';
import { DECODED_FIELDS } from '../../clickhouse/model/fields.ts';
import {
  CALENDAR_UNITS,
  type CalendarUnit,
  CONDITION_FUNCTIONS,
  type ConditionFunction,
  type Group,
  groupNames,
  NUMBER_FUNCTIONS,
  SECTORS,
  type Statistic,
} from '../../clickhouse/statistics/question.ts';
import { type InvalidValue, insteadOf } from '../../clickhouse/validation.ts';
import { ParameterError, readCondition } from '../contract/parse-values.ts';
import type { Values } from '../contract/values.ts';

const MAX_STATISTICS = 40;

const NAME = /^[A-Za-z]\w{0,63}$/;
const PERCENTILE = /^p(\d{1,2}|100)$/;

/** The rows that statistics are of, and what these rows have. */
export type Subject = {
  /** What conditions can name. */
  readonly conditionFields: ConditionFields;
  readonly fields: ReadonlyMap<string, Pick<ScalarField, 'name' | 'values'>>;
  readonly directions: readonly string[];
  readonly conditions: readonly ConditionFunction[];
  readonly units: readonly CalendarUnit[];
  /** Whether a group can be of the values of a row. */
  readonly hasGroupsOfValues: boolean;
  readonly examples: { readonly field: string; readonly condition: string; readonly share: string };
};

const isDirection = ({ unit }: { readonly unit?: string }) => unit === 'degrees true';
const namesOf = (fields: readonly { readonly name: string; readonly unit?: string }[]) =>
  fields.filter(isDirection).map(({ name }) => name);

const REPORTS: Subject = {
  conditionFields: FIELDS_FOR_CONDITIONS,
  fields: SCALAR_FIELDS,
  directions: namesOf(DECODED_FIELDS),
  conditions: CONDITION_FUNCTIONS,
  units: CALENDAR_UNITS,
  hasGroupsOfValues: true,
  examples: { field: 'temp_c', condition: 'visib_m < 800', share: 'low:share(visib_m < 800)' },
};

export const DAYS: Subject = {
  conditionFields: DAY_CONDITION_FIELDS,
  fields: DAY_CONDITION_FIELDS,
  directions: namesOf(VISIBLE_DAY_FIELDS),
  conditions: ['share', 'count'],
  units: ['year', 'season', 'month'],
  hasGroupsOfValues: false,
  examples: { field: 'max_temp_c', condition: 'max_temp_c >= 30', share: 'hot:share(max_temp_c >= 30)' },
};

/** Statistics that reports had, which are of days. */
const ENDED: Readonly<Record<string, string>> = {
  highest: 'max(max_temp_c) or max(max_gust_kt)',
  lowest: 'min(min_temp_c)',
  total: 'sum(precip_in)',
  trace: 'max(precip_trace)',
  time_of_highest: 'time_of_max(max_gust_kt)',
};

const functionsOf = ({ conditions, hasGroupsOfValues }: Subject) => [
  ...new Set([
    ...['count', ...NUMBER_FUNCTIONS, 'median', 'p0 to p100', 'time_of_max', 'time_of_min'],
    ...(hasGroupsOfValues ? ['resultant'] : []),
    ...conditions,
  ]),
];

const fieldsWith = ({ fields }: Subject, kind: 'number' | 'choice') =>
  [...fields].filter(([, { values }]) => values.kind === kind).map(([name]) => name);

const fieldInstead = (field: string, subject: Subject) => {
  const names = fieldsWith(subject, 'number');
  return insteadOfField(field, names, `there are ${names.join(', ')}; a suffix is another unit`);
};

/** The statistics of `select`. `count` is `n`, which each row has. */
export function parseSelect(list: string, subject = REPORTS): readonly Statistic[] {
  const items = splitList(list).filter(({ text }) => text !== 'count');
  const statistics = items.map(({ text, offset }) => parseItem(text, offset, subject));
  if (statistics.length > MAX_STATISTICS)
    throw new ParameterError(
      `has ${statistics.length} statistics; one request may ask for ${MAX_STATISTICS}`,
    );
  return statistics;
}

/** The error message if two columns of an answer would have the same name. */
function describeSameColumns(statistics: readonly Statistic[], groups: readonly Group[]) {
  const names = new Set(['station', ...groups.flatMap(groupNames), 'n', 'expected']);
  for (const { name } of statistics) {
    if (names.has(name))
      return `has two columns named ${name}: write another name before a colon, as in other:count`;
    names.add(name);
  }
  return undefined;
}

/** What ends the name of `[name:]function[(argument)]`, or shows that there is none. */
const NAME_END = /[:('"]/;

type Call = { readonly of: string; readonly argument?: string };

/**
 * `function` or `function(argument)`; `of` is empty where the text begins with something else. In steps, each of which reads
 * the text once: one pattern for all would try each way to divide a run of blanks.
 */
function parseCall(text: string): Call | undefined {
  const call = text.trim();
  const [of = ''] = /^\w*/.exec(call) ?? [];
  const rest = call.slice(of.length).trimStart();
  if (rest === '') return { of };
  if (!rest.startsWith('(') || !rest.endsWith(')') || rest.length < 2) return undefined;
  return { of, argument: rest.slice(1, -1) };
}

function parseItem(item: string, offset: number, subject: Subject): Statistic {
  const { examples } = subject;
  const begin = NAME_END.exec(item)?.index ?? item.length;
  const hasName = item[begin] === ':';
  const { of = '', argument } = parseCall(item.slice(hasName ? begin + 1 : 0)) ?? {};
  if (of === '')
    throw new ParameterError(
      `has ${JSON.stringify(item.slice(0, 64))} where a statistic belongs: write mean(${examples.field}), or with a name ${examples.share}`,
    );
  const name = hasName ? item.slice(0, begin).trim() : undefined;
  if (name !== undefined && !NAME.test(name))
    throw new ParameterError(
      `has the name ${JSON.stringify(name.slice(0, 70))}: a name begins with a letter and has at most 64 letters, digits and underscores`,
    );
  if (name === 'null') throw new ParameterError('has the name null, which files cannot have: write another');
  if (of === 'count' && argument?.trim() === '*') throw new ParameterError('has count(*): write count alone');
  if (of === 'count' && argument === undefined) return { kind: 'reports', name: name ?? of };
  if (subject.hasGroupsOfValues && of === 'resultant_n' && argument === undefined)
    return { kind: 'resultant', of: 'variable', name: name ?? of };
  if (subject.hasGroupsOfValues && of === 'resultant') return resultantOf(argument, name);
  if (isOneOf(subject.conditions, of)) {
    const inner = needed(of, argument, 'condition', examples.condition);
    if (name === undefined)
      throw new ParameterError(
        `has ${of}(…) without a name: write one before a colon, as in ${examples.share.replace('share', of)}`,
      );
    const condition = readCondition(inner, offset + item.indexOf('(') + 1, subject.conditionFields);
    return { kind: 'condition', of, condition, name };
  }
  const [, percent] = PERCENTILE.exec(of) ?? [];
  const instead = Object.hasOwn(ENDED, of) ? ENDED[of] : undefined;
  if (instead !== undefined)
    throw new ParameterError(`has ${of}, which is a value of days: write of=days and ${instead}`);
  const isNumber = isOneOf(NUMBER_FUNCTIONS, of);
  if (!isNumber && of !== 'median' && percent === undefined && of !== 'time_of_max' && of !== 'time_of_min')
    throw new ParameterError(
      `has an unknown function ${of.slice(0, 64)}: ${insteadOf(of, functionsOf(subject))}`,
    );
  const field = numberField(of, needed(of, argument, 'field', examples.field), subject);
  const column = { name: name ?? `${of}_${field}`, field };
  if (subject.directions.includes(field) && !HAVE_NO_MEAN.includes(of)) throw directionError(of, field);
  if (isNumber) return { kind: 'number', of, ...column };
  if (of === 'time_of_max' || of === 'time_of_min')
    return { kind: 'time', of: of === 'time_of_max' ? 'max' : 'min', ...column };
  return { kind: 'percentile', percent: of === 'median' ? 50 : Number(percent), ...column };
}

/** Part of the mean wind vector (D66). */
function resultantOf(argument: string | undefined, name: string | undefined): Statistic {
  const field = argument?.trim();
  if (field === 'wdir') return { kind: 'resultant', of: 'direction', name: name ?? 'resultant_wdir' };
  if (field?.startsWith('wspd_') && SCALAR_FIELDS.get(field)?.values.kind === 'number')
    return { kind: 'resultant', of: 'speed', field, name: name ?? `resultant_${field}` };
  throw new ParameterError(
    `has resultant(${(argument ?? '').slice(0, 64)}): write resultant(wdir) or resultant(wspd_kt), and resultant_n for the number of winds of variable direction`,
  );
}

/** The mean of 350 and 010 degrees would be 180, and a percentile of directions says nothing. */
const HAVE_NO_MEAN = ['min', 'max', 'time_of_max', 'time_of_min'];

function directionError(of: string, field: string): ParameterError {
  const instead =
    field === 'wdir'
      ? 'resultant(wdir) and resultant(wspd_kt), direction and speed of the mean wind vector, or count with by=wind_sector(12)'
      : field === 'resultant_wdir'
        ? 'resultant(wdir) of reports'
        : `count with by=class(${field};90;180;270)`;
  return new ParameterError(`has ${of}(${field}), but a direction is no number to average: write ${instead}`);
}

function needed(of: string, argument: string | undefined, what: string, example: string): string {
  if (argument !== undefined && argument.trim() !== '') return argument;
  throw new ParameterError(`has ${of} without a ${what}: write ${of}(${example})`);
}

function numberField(of: string, argument: string, subject: Subject): string {
  const field = argument.trim();
  const known = subject.fields.get(field);
  if (known === undefined)
    throw new ParameterError(
      `has ${of} of an unknown field ${field.slice(0, 64)}: ${fieldInstead(field, subject)}`,
    );
  if (known.values.kind === 'number') return known.name;
  throw new ParameterError(
    `has ${of}(${field}), but ${field} is not a number: write a condition, as in name:share(${field} IS NOT NULL)`,
  );
}

function isOneOf<const T extends string>(values: readonly T[], value: string): value is T {
  return (values as readonly string[]).includes(value);
}

const MAX_GROUPS = 4;
/** A class number takes one byte, and the numbers above stay free. */
const MAX_BOUNDS = 100;

const CHOICES = fieldsWith(REPORTS, 'choice');

/** The groups of `by`. */
export function parseBy(list: string, subject = REPORTS): readonly Group[] {
  const groups = splitList(list).map(({ text }) => parseGroup(text, subject));
  if (groups.length > MAX_GROUPS)
    throw new ParameterError(
      `has ${groups.length} groups; one request may have ${MAX_GROUPS}, in addition to the station`,
    );
  const names = groups.flatMap(groupNames);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) throw new ParameterError(`has ${twice} twice`);
  return groups;
}

function parseGroup(item: string, { units, hasGroupsOfValues }: Subject): Group {
  const { of = '', argument } = parseCall(item) ?? {};
  if (hasGroupsOfValues && of === 'wind_sector') return parseSectors(argument);
  if (hasGroupsOfValues && of === 'class') return parseClass(argument ?? '');
  const isCalendar = isOneOf(units, of);
  const ofValues = hasGroupsOfValues ? ['wind_sector', 'class', ...CHOICES] : [];
  if (!isCalendar && !ofValues.includes(of)) {
    const all = [...units, ...ofValues];
    throw new ParameterError(
      `has an unknown group ${JSON.stringify(item.slice(0, 64))}: ${insteadOf(of, all)}`,
    );
  }
  if (argument !== undefined) throw new ParameterError(`has ${of}(…): write ${of} alone`);
  return isCalendar ? { kind: 'calendar', unit: of } : { kind: 'choice', field: of };
}

function parseSectors(argument = ''): Group {
  const [number = '', ...others] = argument.split(';').map((part) => part.trim());
  const sectors = SECTORS.find((each) => String(each) === number);
  if (sectors === undefined)
    throw new ParameterError(
      `has wind_sector without a number of sectors: write ${SECTORS.map((n) => `wind_sector(${n})`).join(', ')}`,
    );
  if (others.length === 0) return { kind: 'sector', sectors };
  const [, knots] = /^calm *= *(\d{1,2})$/.exec(others.join(';')) ?? [];
  if (knots === undefined)
    throw new ParameterError(
      `has wind_sector(${argument.slice(0, 64)}): write the greatest speed that is calm in whole knots, as in wind_sector(${sectors};calm=2)`,
    );
  return { kind: 'sector', sectors, calm: Number(knots) };
}

function parseClass(argument: string): Group {
  // crosswind(40;gust) is one part.
  const [text = '', ...bounds] = argument.split(/;(?![^(]*\))/).map((part) => part.trim());
  const example = 'class(wspd_kt;10;20;30)';
  const { name: field, values } = SCALAR_FIELDS.get(text) ?? {};
  if (field === undefined || values?.kind !== 'number')
    throw new ParameterError(
      `has a class of ${JSON.stringify(text.slice(0, 64))}, which is not a field with numbers: ${fieldInstead(text, REPORTS)}; write ${example}`,
    );
  if (bounds.length === 0) throw new ParameterError(`has a class without bounds: write ${example}`);
  if (bounds.length > MAX_BOUNDS)
    throw new ParameterError(`has a class with ${bounds.length} bounds; it may have ${MAX_BOUNDS}`);
  const wrong = bounds.find((bound) => !/^-?\d{1,9}(\.\d{1,6})?$/.test(bound));
  if (wrong !== undefined)
    throw new ParameterError(
      `has the bound ${JSON.stringify(wrong.slice(0, 32))}, which is not a number: write ${example}`,
    );
  const numbers = bounds.map(Number);
  if (numbers.some((bound, n) => n > 0 && bound <= (numbers[n - 1] as number)))
    throw new ParameterError(`has bounds of ${field} that do not ascend: write ${example}`);
  return { kind: 'class', field, bounds: numbers };
}

/** A part of a parameter. */
type ListItem = {
  readonly text: string;
  /** Characters before it. */
  readonly offset: number;
};

/** The items of a list, split at commas outside parentheses and quoted text. */
function splitList(list: string): readonly ListItem[] {
  const items: ListItem[] = [];
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

/** The columns of statistics are those of `select` or of a preset, each with its own name. */
export function checkColumns(
  texts: ReadonlyMap<string, string>,
  values: Partial<Values>,
): readonly InvalidValue[] {
  const errors: InvalidValue[] = [];
  const detail =
    texts.has('select') || texts.has('preset')
      ? describeSameColumns(values.select ?? [], values.by ?? [])
      : 'is required, or preset: write the values of each row, as in count,mean(temp_c)';
  if (detail !== undefined) errors.push({ name: 'select', detail });
  const { preset } = values;
  const of = texts.get('of');
  if (preset !== undefined && of !== undefined && of !== (preset.of ?? 'reports'))
    errors.push({ name: 'of', detail: `is ${preset.of ?? 'reports'} in this preset: leave it out` });
  const both = ['select', 'by', 'sample'].filter((other) => texts.has(other));
  if (texts.has('preset') && both.length > 0)
    errors.push({
      name: 'preset',
      detail: `replaces ${both.join(' and ')}: send one or the other; to change a preset, begin with its meta.expanded`,
    });
  return errors;
}
