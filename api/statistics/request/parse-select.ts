import type { Condition } from '../../../clickhouse/conditions/condition.ts';
import { ConditionError } from '../../../clickhouse/conditions/condition-error.ts';
import { FIELDS_OF_LISTS, SCALAR_FIELDS } from '../../../clickhouse/conditions/condition-fields.ts';
import { parseCondition } from '../../../clickhouse/conditions/parse-condition.ts';
import {
  CONDITION_FUNCTIONS,
  NUMBER_FUNCTIONS,
  type Statistic,
} from '../../../clickhouse/statistics/question.ts';
import { insteadOf } from '../../../clickhouse/validation/nearest-names.ts';
import { ListError } from './list-error.ts';
import { splitList } from './split-list.ts';

const MAX_STATISTICS = 40;

/** `[name:]function[(argument)]` */
const ITEM = /^(?:(?<name>[^:('"]*):)?\s*(?<of>\w*)\s*(?:\((?<argument>.*)\))?$/su;
const NAME = /^[A-Za-z]\w{0,63}$/;
const PERCENTILE = /^p(\d{1,2}|100)$/;
const FUNCTIONS = [
  ...new Set([
    'count',
    ...NUMBER_FUNCTIONS,
    'median',
    'p0 to p100',
    'time_of_max',
    'time_of_min',
    ...CONDITION_FUNCTIONS,
  ]),
];

const NUMBER_FIELDS = [...SCALAR_FIELDS.values()]
  .filter(({ values }) => values.kind === 'number')
  .map(({ name }) => name);

/** The statistics of `select` (D45). Their names differ from each other and from those of the other columns. */
export function parseSelect(list: string, otherColumns: readonly string[]): readonly Statistic[] {
  const statistics = splitList(list).map(({ text, offset }) => parseItem(text, offset));
  if (statistics.length > MAX_STATISTICS)
    throw new ListError(`has ${statistics.length} statistics; one request may ask for ${MAX_STATISTICS}`);
  const names = new Set(otherColumns);
  for (const { name } of statistics) {
    if (names.has(name))
      throw new ListError(
        `has two columns named ${name}: write another name before a colon, as in other:count`,
      );
    names.add(name);
  }
  return statistics;
}

function parseItem(item: string, offset: number): Statistic {
  const { name: given, of = '', argument } = ITEM.exec(item)?.groups ?? {};
  if (of === '')
    throw new ListError(
      `has ${JSON.stringify(item.slice(0, 64))} where a statistic belongs: write mean(temp_c), or with a name low:share(visib_m < 800)`,
    );
  const name = given?.trim();
  if (name !== undefined && !NAME.test(name))
    throw new ListError(
      `has the name ${JSON.stringify(name.slice(0, 70))}: a name begins with a letter and has at most 64 letters, digits and underscores`,
    );
  if (of === 'count' && argument?.trim() === '*') throw new ListError('has count(*): write count alone');
  if (of === 'count' && argument === undefined) return { kind: 'reports', name: name ?? of };
  if (isOneOf(CONDITION_FUNCTIONS, of)) {
    const inner = needed(of, argument, 'condition', 'visib_m < 800');
    if (name === undefined)
      throw new ListError(
        `has ${of}(…) without a name: write one before a colon, as in low:${of}(visib_m < 800)`,
      );
    const condition = parseInner(inner, offset + item.indexOf('(') + 1);
    return { kind: 'condition', of, condition, name };
  }
  const [, percent] = PERCENTILE.exec(of) ?? [];
  const isNumber = isOneOf(NUMBER_FUNCTIONS, of);
  if (!isNumber && of !== 'median' && percent === undefined && of !== 'time_of_max' && of !== 'time_of_min')
    throw new ListError(`has an unknown function ${of.slice(0, 64)}: ${insteadOf(of, FUNCTIONS)}`);
  const field = numberField(of, needed(of, argument, 'field', 'temp_c'));
  const column = { name: name ?? `${of}_${field}`, field };
  if (isNumber) return { kind: 'number', of, ...column };
  if (of === 'time_of_max' || of === 'time_of_min')
    return { kind: 'time', of: of === 'time_of_max' ? 'max' : 'min', ...column };
  return { kind: 'percentile', percent: of === 'median' ? 50 : Number(percent), ...column };
}

function needed(of: string, argument: string | undefined, what: string, example: string): string {
  if (argument !== undefined && argument.trim() !== '') return argument;
  throw new ListError(`has ${of} without a ${what}: write ${of}(${example})`);
}

function numberField(of: string, argument: string): string {
  const field = argument.trim();
  const known = SCALAR_FIELDS.get(field);
  const instead = FIELDS_OF_LISTS.get(field);
  if (instead !== undefined)
    throw new ListError(`has ${of}(${field}), but ${field} is a list: use ${instead}`);
  if (known === undefined)
    throw new ListError(
      `has ${of} of an unknown field ${field.slice(0, 64)}: ${insteadOf(field, NUMBER_FIELDS)}`,
    );
  if (known.values.kind === 'number') return field;
  throw new ListError(
    `has ${of}(${field}), but ${field} is not a number: write a condition, as in name:share(${field} IS NOT NULL)`,
  );
}

/** The position of a mistake is that in the whole parameter. */
function parseInner(text: string, offset: number): Condition {
  try {
    return parseCondition(text);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    throw new ListError(error.message.replace(/at character \d+/, `at character ${offset + error.position}`));
  }
}

function isOneOf<const T extends string>(values: readonly T[], value: string): value is T {
  return (values as readonly string[]).includes(value);
}
