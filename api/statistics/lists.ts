import { FIELDS_OF_LISTS, SCALAR_FIELDS } from '../../clickhouse/conditions/condition.ts';
import { DECODED_FIELDS } from '../../clickhouse/model/fields.ts';
import {
  CALENDAR_UNITS,
  CONDITION_FUNCTIONS,
  type Group,
  groupName,
  NUMBER_FUNCTIONS,
  PERIOD_FIELDS,
  type PeriodField,
  SECTORS,
  type Statistic,
} from '../../clickhouse/statistics/question.ts';
import { type InvalidValue, insteadOf } from '../../clickhouse/validation.ts';
import { ParameterError, readCondition } from '../contract/parse-values.ts';
import type { Values } from '../contract/values.ts';

const MAX_STATISTICS = 40;

const NAME = /^[A-Za-z]\w{0,63}$/;
const PERCENTILE = /^p(\d{1,2}|100)$/;
type PeriodFunction = (typeof PERIOD_FIELDS)[PeriodField][number];
const PERIOD_FUNCTIONS: readonly PeriodFunction[] = [...new Set(Object.values(PERIOD_FIELDS).flat())];
const FUNCTIONS = [
  ...new Set([
    'count',
    ...NUMBER_FUNCTIONS,
    'median',
    'p0 to p100',
    'time_of_max',
    'time_of_min',
    'resultant',
    ...CONDITION_FUNCTIONS,
    ...PERIOD_FUNCTIONS,
  ]),
];

const fieldsWith = (kind: 'number' | 'choice') =>
  [...SCALAR_FIELDS.values()].filter(({ values }) => values.kind === kind).map(({ name }) => name);
const NUMBER_FIELDS = fieldsWith('number');

/** The statistics of `select`. */
export function parseSelect(list: string): readonly Statistic[] {
  const statistics = splitList(list).map(({ text, offset }) => parseItem(text, offset));
  if (statistics.length > MAX_STATISTICS)
    throw new ParameterError(
      `has ${statistics.length} statistics; one request may ask for ${MAX_STATISTICS}`,
    );
  return statistics;
}

/** The error message if two columns of an answer would have the same name. */
function describeSameColumns(statistics: readonly Statistic[], groups: readonly Group[]) {
  const names = new Set(['station', ...groups.map(groupName), 'n', 'expected']);
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

function parseItem(item: string, offset: number): Statistic {
  const begin = NAME_END.exec(item)?.index ?? item.length;
  const hasName = item[begin] === ':';
  const { of = '', argument } = parseCall(item.slice(hasName ? begin + 1 : 0)) ?? {};
  if (of === '')
    throw new ParameterError(
      `has ${JSON.stringify(item.slice(0, 64))} where a statistic belongs: write mean(temp_c), or with a name low:share(visib_m < 800)`,
    );
  const name = hasName ? item.slice(0, begin).trim() : undefined;
  if (name !== undefined && !NAME.test(name))
    throw new ParameterError(
      `has the name ${JSON.stringify(name.slice(0, 70))}: a name begins with a letter and has at most 64 letters, digits and underscores`,
    );
  if (of === 'count' && argument?.trim() === '*') throw new ParameterError('has count(*): write count alone');
  if (of === 'count' && argument === undefined) return { kind: 'reports', name: name ?? of };
  if (of === 'resultant_n' && argument === undefined)
    return { kind: 'resultant', of: 'variable', name: name ?? of };
  if (of === 'resultant') return resultantOf(argument, name);
  if (isOneOf(CONDITION_FUNCTIONS, of)) {
    const inner = needed(of, argument, 'condition', 'visib_m < 800');
    if (name === undefined)
      throw new ParameterError(
        `has ${of}(…) without a name: write one before a colon, as in low:${of}(visib_m < 800)`,
      );
    const condition = readCondition(inner, offset + item.indexOf('(') + 1);
    return { kind: 'condition', of, condition, name };
  }
  const [, percent] = PERCENTILE.exec(of) ?? [];
  if (isOneOf(PERIOD_FUNCTIONS, of)) return { kind: of, ...periodColumn(of, argument, name) };
  const isNumber = isOneOf(NUMBER_FUNCTIONS, of);
  if (!isNumber && of !== 'median' && percent === undefined && of !== 'time_of_max' && of !== 'time_of_min')
    throw new ParameterError(`has an unknown function ${of.slice(0, 64)}: ${insteadOf(of, FUNCTIONS)}`);
  const field = numberField(of, needed(of, argument, 'field', 'temp_c'));
  const column = { name: name ?? `${of}_${field}`, field };
  if (DIRECTIONS.includes(field) && !HAVE_NO_MEAN.includes(of)) throw directionError(of, field);
  if (isNumber) return { kind: 'number', of, ...column };
  if (of === 'time_of_max' || of === 'time_of_min')
    return { kind: 'time', of: of === 'time_of_max' ? 'max' : 'min', ...column };
  return { kind: 'percentile', percent: of === 'median' ? 50 : Number(percent), ...column };
}

/** Part of the mean wind vector (D66). */
function resultantOf(argument: string | undefined, name: string | undefined): Statistic {
  const field = argument?.trim();
  if (field === 'wdir') return { kind: 'resultant', of: 'direction', name: name ?? 'resultant_wdir' };
  if (field === 'wspd_kt') return { kind: 'resultant', of: 'speed', name: name ?? 'resultant_wspd_kt' };
  throw new ParameterError(
    `has resultant(${(argument ?? '').slice(0, 64)}): write resultant(wdir) or resultant(wspd_kt), and resultant_n for the number of winds of variable direction`,
  );
}

/** The mean of 350 and 010 degrees would be 180, and a percentile of directions says nothing. */
const DIRECTIONS = DECODED_FIELDS.flatMap((field) =>
  'unit' in field && field.unit === 'degrees true' ? [`${field.name}`] : [],
);
const HAVE_NO_MEAN = ['min', 'max', 'time_of_max', 'time_of_min'];

function directionError(of: string, field: string): ParameterError {
  const instead =
    field === 'wdir'
      ? 'resultant(wdir) and resultant(wspd_kt), direction and speed of the mean wind vector, or count with by=wind_sector(12)'
      : `count with by=class(${field};90;180;270)`;
  return new ParameterError(`has ${of}(${field}), but a direction is no number to average: write ${instead}`);
}

/** A function of values that reports give for longer periods: each takes only certain fields. */
function periodColumn(of: PeriodFunction, argument: string | undefined, name: string | undefined) {
  const fields = (Object.keys(PERIOD_FIELDS) as PeriodField[]).filter((field) =>
    isOneOf<string>(PERIOD_FIELDS[field], of),
  );
  const field = fields.find((each) => each === argument?.trim());
  if (field === undefined)
    throw new ParameterError(
      `has ${of}(${(argument ?? '').slice(0, 64)}): write ${fields.map((each) => `${of}(${each})`).join(' or ')}`,
    );
  return { name: name ?? `${of}_${field}`, field };
}

function needed(of: string, argument: string | undefined, what: string, example: string): string {
  if (argument !== undefined && argument.trim() !== '') return argument;
  throw new ParameterError(`has ${of} without a ${what}: write ${of}(${example})`);
}

function numberField(of: string, argument: string): string {
  const field = argument.trim();
  const known = SCALAR_FIELDS.get(field);
  const instead = FIELDS_OF_LISTS.get(field);
  if (instead !== undefined)
    throw new ParameterError(`has ${of}(${field}), but ${field} is a list: use ${instead}`);
  if (known === undefined)
    throw new ParameterError(
      `has ${of} of an unknown field ${field.slice(0, 64)}: ${insteadOf(field, NUMBER_FIELDS)}`,
    );
  if (known.values.kind === 'number') return field;
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

const CHOICES = fieldsWith('choice');

/** The groups of `by`. */
export function parseBy(list: string): readonly Group[] {
  const groups = splitList(list).map(({ text }) => parseGroup(text));
  if (groups.length > MAX_GROUPS)
    throw new ParameterError(
      `has ${groups.length} groups; one request may have ${MAX_GROUPS}, in addition to the station`,
    );
  const names = groups.map(groupName);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) throw new ParameterError(`has ${twice} twice`);
  return groups;
}

function parseGroup(item: string): Group {
  const { of = '', argument } = parseCall(item) ?? {};
  if (of === 'wind_sector') return parseSectors(argument);
  if (of === 'class') return parseClass(argument ?? '');
  const isCalendar = isOneOf(CALENDAR_UNITS, of);
  if (!isCalendar && !CHOICES.includes(of)) {
    const all = [...CALENDAR_UNITS, 'wind_sector', 'class', ...CHOICES];
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
  const [field = '', ...bounds] = argument.split(';').map((part) => part.trim());
  const example = 'class(wspd_kt;10;20;30)';
  if (!NUMBER_FIELDS.includes(field))
    throw new ParameterError(
      `has a class of ${JSON.stringify(field.slice(0, 64))}, which is not a field with numbers: ${insteadOf(field, NUMBER_FIELDS)}; write ${example}`,
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
  const both = ['select', 'by', 'sample', 'days'].filter((other) => texts.has(other));
  if (texts.has('preset') && both.length > 0)
    errors.push({
      name: 'preset',
      detail: `replaces ${both.join(' and ')}: send one or the other; to change a preset, begin with its meta.expanded`,
    });
  else if (values.days === 'complete' && values.by?.map(groupName).join() !== 'date')
    errors.push({
      name: 'days',
      detail: 'has complete, which is about rows of one day: write by=date alone, or leave days out',
    });
  return errors;
}
