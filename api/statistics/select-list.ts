import { SCALAR_FIELDS } from '../../clickhouse/conditions/fields.ts';
import {
  type Group,
  groupNames,
  NUMBER_FUNCTIONS,
  type Statistic,
} from '../../clickhouse/statistics/question.ts';
import { type InvalidValue, insteadOf } from '../../clickhouse/validation.ts';
import { ParameterError, readCondition } from '../contract/parse-values.ts';
import type { Values } from '../contract/values.ts';
import { fieldInstead, isOneOf, parseCall, REPORT_SUBJECT, type Subject, splitList } from './subjects.ts';

const MAX_STATISTICS = 40;

const COLUMN_NAME = /^[A-Za-z]\w{0,63}$/;
const PERCENTILE = /^p(\d{1,2}|100)$/;

/** Former statistics of reports that only days have now, and how to request them (D74). */
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

/** The statistics of `select`. `count` is `n`, which each row has. */
export function parseSelect(list: string, subject = REPORT_SUBJECT): readonly Statistic[] {
  const items = splitList(list).filter(({ text }) => text !== 'count');
  const statistics = items.map(({ text, offset }) => parseItem(text, offset, subject));
  if (statistics.length > MAX_STATISTICS)
    throw new ParameterError(
      `has ${statistics.length} statistics; one request may ask for ${MAX_STATISTICS}`,
    );
  return statistics;
}

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

function parseItem(item: string, offset: number, subject: Subject): Statistic {
  const { examples } = subject;
  const begin = NAME_END.exec(item)?.index ?? item.length;
  const hasName = item[begin] === ':';
  const { of, argument } = parseCall(item.slice(hasName ? begin + 1 : 0));
  if (of === '')
    throw new ParameterError(
      `has ${JSON.stringify(item.slice(0, 64))} where a statistic belongs: write mean(${examples.field}), or with a name ${examples.share}`,
    );
  const name = hasName ? item.slice(0, begin).trim() : undefined;
  if (name !== undefined && !COLUMN_NAME.test(name))
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

/** Statistics of a direction: the mean of 350 and 010 degrees would be 180, and a percentile of directions has no meaning. */
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

/** Columns come from `select` or from a preset, and each has its own name. */
export function checkColumns(texts: ReadonlyMap<string, string>, values: Partial<Values>) {
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
