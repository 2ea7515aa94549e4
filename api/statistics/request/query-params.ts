import type { Condition } from '../../../clickhouse/conditions/condition.ts';
import { ConditionError } from '../../../clickhouse/conditions/condition-error.ts';
import { parseCondition } from '../../../clickhouse/conditions/parse-condition.ts';
import { REPORT_TYPES } from '../../../clickhouse/model/report.ts';
import {
  type Group,
  groupName,
  type Question,
  SAMPLES,
  type Sample,
} from '../../../clickhouse/statistics/question.ts';
import { insteadOf } from '../../../clickhouse/validation/nearest-names.ts';
import { compileSchema, type InvalidValue } from '../../../clickhouse/validation/schema-validator.ts';
import { invalidParameters, splitLists, splitQuery } from '../../http/request/query-string.ts';
import { PARAMETERS as OBSERVATIONS } from '../../observations/query-params.ts';
import { parseTimeRange } from '../../observations/timestamp.ts';
import { ListError } from './list-error.ts';
import { parseBy } from './parse-by.ts';
import { parseSelect } from './parse-select.ts';
import { PRESETS, type Preset, type PresetName } from './presets.ts';
import { parseTimeZone, type TimeZone } from './time-zones.ts';

export type StatisticsQuery = {
  readonly question: Question;
  readonly timeZone: TimeZone;
  /** As the request has it. */
  readonly tz: string;
  /** What the preset stands for, where the request has one. */
  readonly expanded: Preset | undefined;
};

const TEXT = { type: 'string', minLength: 1, maxLength: 8000 } as const;

/** Every parameter of the statistics endpoint. A parameter that is not here is refused. */
export const PARAMETERS = {
  stations: OBSERVATIONS.stations,
  from: OBSERVATIONS.from,
  to: OBSERVATIONS.to,
  type: OBSERVATIONS.type,
  filter: {
    purpose: 'Condition that a sampled report has to meet',
    description: "a condition in CQL2 Text, as in wspd_kt >= 20 AND wx LIKE '%TS%'",
    ...TEXT,
  },
  select: {
    purpose: 'Values of each row',
    description:
      'up to 40 statistics separated by commas, each with a name and a colon before it or not: count, mean(temp_c), min, max, sum, stddev, median, p95 (p0 to p100), time_of_max, time_of_min, and of a condition low:share(visib_m < 800), count, days',
    ...TEXT,
  },
  preset: {
    purpose: 'A named choice of select, by and sample, in place of these',
    description: `one of ${Object.keys(PRESETS).join(', ')}`,
    ...TEXT,
  },
  by: {
    purpose: 'Groups of reports, beside the station',
    description:
      'up to four of year, season, month, date, hour, wind_sector(8), (12), (16) or (36), class(wspd_kt;10;20;30), fltcat or another field with a few values, separated by commas',
    ...TEXT,
  },
  sample: {
    purpose: 'Which reports count',
    description: 'hourly (the first METAR of each nominal hour) or all',
    enum: SAMPLES,
  },
  tz: {
    purpose: 'Whose days and hours count',
    description: 'utc, local, standard, or an IANA name, as in Europe/London',
    type: 'string',
    minLength: 1,
    maxLength: 64,
    default: 'utc',
  },
} as const;

export const REQUIRED = ['stations', 'from', 'to'] as const;

type QueryValues = {
  readonly stations: readonly string[];
  readonly type: 'all' | 'metar' | 'speci';
  readonly filter?: string;
  readonly select?: string;
  readonly preset?: string;
  readonly by?: string;
  readonly sample?: Sample;
  readonly tz: string;
};

const validate = compileSchema<QueryValues>({
  type: 'object',
  properties: PARAMETERS,
  required: REQUIRED,
  additionalProperties: false,
});

/** Parses the query string. All invalid parameters are reported together (D45). */
export function parseStatisticsQuery(query: string): StatisticsQuery {
  const { values, repeated } = splitQuery(query, PARAMETERS);
  const checked = validate(splitLists(values, PARAMETERS));
  const range = parseTimeRange(values.get('from'), values.get('to'));
  const errors: InvalidValue[] = [
    ...repeated,
    ...(checked.kind === 'invalid' ? checked.errors : []),
    ...(range.kind === 'invalid' ? range.errors : []),
  ];
  const given = Object.fromEntries(values) as Partial<Record<keyof typeof PARAMETERS, string>>;
  const wrong = new Set(errors.map(({ name }) => name));
  const read = <T>(name: keyof typeof PARAMETERS, parse: () => T): T | undefined => {
    if (wrong.has(name)) return undefined;
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof ListError || error instanceof ConditionError)) throw error;
      errors.push({ name, detail: error.message });
      return undefined;
    }
  };
  const preset = read('preset', () => choosePreset(given));
  const { select = given.select, by = given.by, sample = given.sample ?? 'hourly' } = preset ?? {};
  const groups = read('by', () => (by === undefined ? [] : parseBy(by)));
  // A wrong preset says what `select` would: one mistake is enough.
  const statistics =
    given.preset !== undefined && select === undefined
      ? undefined
      : read('select', () => parseSelect(requireSelect(select), columnsOf(groups ?? [])));
  const filter = read(
    'filter',
    (): Condition | undefined => (given.filter && parseCondition(given.filter)) || undefined,
  );
  const timeZone = read('tz', () => parseTimeZone(given.tz ?? 'utc'));
  read('type', () => requireTypeOfSample(given.type, sample));
  if (
    errors.length > 0 ||
    checked.kind === 'invalid' ||
    range.kind === 'invalid' ||
    groups === undefined ||
    statistics === undefined ||
    timeZone === undefined
  )
    throw invalidParameters(errors);
  const { stations, type, tz } = checked.value;
  const types = REPORT_TYPES.filter((name) => type === 'all' || type === name.toLowerCase());
  return {
    question: { stations, ...range.value, types, filter, statistics, groups, sample: sample as Sample },
    timeZone,
    tz,
    expanded: preset,
  };
}

function choosePreset({ preset: name, ...given }: Partial<Record<string, string>>): Preset | undefined {
  if (name === undefined) return undefined;
  const preset: Preset | undefined = PRESETS[name as PresetName];
  if (preset === undefined || !Object.hasOwn(PRESETS, name))
    throw new ListError(`is unknown: ${insteadOf(name, Object.keys(PRESETS))}`);
  const both = (['select', 'by', 'sample'] as const).filter((other) => given[other] !== undefined);
  if (both.length > 0)
    throw new ListError(
      `says what ${both.join(' and ')} would: leave out one of the two; meta.expanded of the preset is what to begin with`,
    );
  return preset;
}

function requireSelect(select: string | undefined): string {
  if (select !== undefined) return select;
  throw new ListError('is required, or preset: write the values of each row, as in count,mean(temp_c)');
}

function requireTypeOfSample(type: string | undefined, sample: string): void {
  if (type === 'speci' && sample === 'hourly')
    throw new ListError('speci has no report in the sample hourly, which is of METARs: add sample=all');
}

/** The columns beside the statistics. */
function columnsOf(groups: readonly Group[]): readonly string[] {
  return ['station', ...groups.map(groupName), 'n', 'expected'];
}
