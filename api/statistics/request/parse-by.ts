import { SCALAR_FIELDS } from '../../../clickhouse/conditions/condition-fields.ts';
import {
  CALENDAR_UNITS,
  type CalendarUnit,
  type Group,
  groupName,
  SECTORS,
} from '../../../clickhouse/statistics/question.ts';
import { insteadOf } from '../../../clickhouse/validation/nearest-names.ts';
import { ListError } from './list-error.ts';
import { splitList } from './split-list.ts';

const MAX_GROUPS = 4;
/** The number of a class has one byte, and the numbers above are free. */
const MAX_BOUNDS = 100;

const ITEM = /^(\w+)\s*(?:\((.*)\))?$/s;

const CHOICES = [...SCALAR_FIELDS.values()]
  .filter(({ values }) => values.kind === 'choice')
  .map(({ name }) => name);

/** The groups of `by` (D45). */
export function parseBy(list: string): readonly Group[] {
  const groups = splitList(list).map(({ text }) => parseGroup(text));
  if (groups.length > MAX_GROUPS)
    throw new ListError(
      `has ${groups.length} groups; one request may have ${MAX_GROUPS}, beside the station`,
    );
  const names = groups.map(groupName);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) throw new ListError(`has ${twice} twice`);
  return groups;
}

function parseGroup(item: string): Group {
  const [, of = '', argument] = ITEM.exec(item) ?? [];
  if (of === 'wind_sector') return { kind: 'sector', sectors: parseSectors(argument) };
  if (of === 'class') return parseClass(argument ?? '');
  const isCalendar = (CALENDAR_UNITS as readonly string[]).includes(of);
  if (!isCalendar && !CHOICES.includes(of)) throw new ListError(describeUnknown(item, of));
  if (argument !== undefined) throw new ListError(`has ${of}(…): write ${of} alone`);
  return isCalendar ? { kind: 'calendar', unit: of as CalendarUnit } : { kind: 'choice', field: of };
}

function parseSectors(argument: string | undefined): number {
  const sectors = SECTORS.find((number) => String(number) === argument?.trim());
  if (sectors !== undefined) return sectors;
  throw new ListError(
    `has wind_sector without a number of sectors: write ${SECTORS.map((n) => `wind_sector(${n})`).join(', ')}`,
  );
}

function parseClass(argument: string): Group {
  const [field = '', ...bounds] = argument.split(';').map((part) => part.trim());
  const known = SCALAR_FIELDS.get(field);
  const example = 'class(wspd_kt;10;20;30)';
  if (known?.values.kind !== 'number') {
    const numbers = [...SCALAR_FIELDS.values()]
      .filter(({ values }) => values.kind === 'number')
      .map(({ name }) => name);
    throw new ListError(
      `has a class of ${JSON.stringify(field.slice(0, 64))}, which is no field with numbers: ${insteadOf(field, numbers)}; write ${example}`,
    );
  }
  if (bounds.length === 0) throw new ListError(`has a class without bounds: write ${example}`);
  if (bounds.length > MAX_BOUNDS)
    throw new ListError(`has a class with ${bounds.length} bounds; it may have ${MAX_BOUNDS}`);
  const wrong = bounds.find((bound) => !/^-?\d{1,9}(\.\d{1,6})?$/.test(bound));
  if (wrong !== undefined)
    throw new ListError(
      `has the bound ${JSON.stringify(wrong.slice(0, 32))}, which is not a number: write ${example}`,
    );
  const numbers = bounds.map(Number);
  if (numbers.some((bound, n) => n > 0 && bound <= (numbers[n - 1] as number)))
    throw new ListError(`has bounds of ${field} that do not rise: write ${example}`);
  return { kind: 'class', field, bounds: numbers };
}

function describeUnknown(item: string, of: string): string {
  const all = [...CALENDAR_UNITS, 'wind_sector', 'class', ...CHOICES];
  return `has an unknown group ${JSON.stringify(item.slice(0, 64))}: ${insteadOf(of, all)}`;
}
