import { SCALAR_FIELDS } from '../../clickhouse/conditions/fields.ts';
import { type Group, groupNames, SECTORS } from '../../clickhouse/statistics/question.ts';
import { insteadOf } from '../../clickhouse/validation.ts';
import { ParameterError } from '../contract/parse-values.ts';
import {
  fieldInstead,
  fieldsWith,
  isOneOf,
  parseCall,
  REPORT_SUBJECT,
  type Subject,
  splitList,
} from './subjects.ts';

const MAX_GROUPS = 4;
/** A class number is one byte, in which `groups.ts` also has codes from 200 on. */
const MAX_BOUNDS = 100;

const CHOICES = fieldsWith(REPORT_SUBJECT, 'choice');

export function parseBy(list: string, subject = REPORT_SUBJECT): readonly Group[] {
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
  const { of, argument } = parseCall(item);
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
  // The semicolon in crosswind(40;gust) does not separate bounds.
  const [text = '', ...bounds] = argument.split(/;(?![^(]*\))/).map((part) => part.trim());
  const example = 'class(wspd_kt;10;20;30)';
  const { name: field, values } = SCALAR_FIELDS.get(text) ?? {};
  if (field === undefined || values?.kind !== 'number')
    throw new ParameterError(
      `has a class of ${JSON.stringify(text.slice(0, 64))}, which is not a field with numbers: ${fieldInstead(text, REPORT_SUBJECT)}; write ${example}`,
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
