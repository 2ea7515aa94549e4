import { type Condition, canonicalCondition } from '../../clickhouse/conditions/condition.ts';
import { REPORT_TYPES } from '../../clickhouse/model/report.ts';
import type { StationRange } from '../../clickhouse/model/time-window.ts';
import type { Selection } from '../../clickhouse/observations/selection.ts';
import type { BoundingBox, Coordinates, StationFilters } from '../../clickhouse/stations.ts';
import type { Group, Question, Sample, Statistic } from '../../clickhouse/statistics/question.ts';
import { type InvalidValue, insteadOf } from '../../clickhouse/validation.ts';
import {
  ParameterError,
  parseBoundingBox,
  parsePoint,
  parseSeconds,
  parseTimestamp,
  parseTimeZone,
  readCondition,
  type TimeZone,
} from './parse-values.ts';
import { PRESETS, type Preset, type PresetName } from './presets.ts';
import { describeSameColumns, parseBy, parseSelect } from './statistics-lists.ts';

// What the values of parameters mean: how a text is read, which values exclude each other, which ones are the same, and
// what they ask the archive for. A filter of reports that is a `condition` needs nothing here. Any other new parameter is a
// member of `Values`; where its value is not its text, it also has a line in the functions below.

/** The values of a request, including defaults but not invalid ones. */
export type Values = {
  readonly stations?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly type?: string;
  readonly include?: readonly string[];
  readonly filter?: Condition;
  readonly fields?: readonly string[];
  readonly select?: readonly Statistic[];
  readonly preset?: Preset;
  readonly by?: readonly Group[];
  readonly sample?: Sample;
  readonly tz?: { readonly tz: string; readonly timeZone: TimeZone };
  readonly country?: string;
  readonly bbox?: BoundingBox;
  readonly q?: string;
  readonly near?: Coordinates;
  readonly radius_km?: number;
};

/** What the parameters of an endpoint ask the archive for. */
export type Asked = {
  readonly observations: Selection;
  /** For the first METAR of each hour: `fields` is always present. */
  readonly hourly: Pick<Selection, 'stations' | 'from' | 'to' | 'condition'> & {
    readonly fields: readonly string[];
  };
  readonly statistics: StatisticsRequest;
  readonly coverage: StationRange;
  readonly stations: StationFilters;
};
/** An endpoint that has parameters. */
export type EndpointName = keyof Asked;

/** What the statistics parameters say: a question, whose clock it means, and what its preset stands for. */
export type StatisticsRequest = Omit<Question, 'groups'> & {
  readonly groups?: readonly Group[];
  readonly timeZone: TimeZone;
  /** As in the request. */
  readonly tz: string;
  readonly expanded?: Preset;
};

/**
 * The value of a text that the schema accepts; `undefined` if it breaks a rule that is in the description but not in the
 * schema.
 *
 * @throws {ParameterError}
 */
export function parseText(name: string, text: string): unknown {
  switch (name) {
    case 'from':
    case 'to':
      return parseSeconds(text);
    case 'filter':
      return readCondition(text);
    case 'select':
      return parseSelect(text);
    case 'preset':
      return choosePreset(text);
    case 'by':
      return parseBy(text);
    case 'tz':
      return { tz: text, timeZone: parseTimeZone(text) };
    case 'bbox':
      return parseBoundingBox(text);
    case 'near':
      return parsePoint(text);
    case 'radius_km':
      return Number(text);
    default:
      return text;
  }
}

function choosePreset(name: string): Preset {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName];
  throw new ParameterError(`is unknown: ${insteadOf(name, Object.keys(PRESETS))}`);
}

/** The texts of the parameters that a preset stands for. */
export function expandPreset(name: unknown): Readonly<Record<string, string>> {
  if (typeof name !== 'string' || !Object.hasOwn(PRESETS, name)) return {};
  const { select, by, sample, tz }: Preset = PRESETS[name as PresetName];
  return { select, by, sample, ...(tz !== undefined && { tz }) };
}

/** The parameters of a request. */
type GivenParameters = {
  readonly endpoint: EndpointName;
  /** As written, lists with commas. */
  readonly texts: ReadonlyMap<string, string>;
  /** Time-dependent defaults of optional parameters. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly values: Values;
};

/** The errors that depend on several parameters. */
export function checkTogether(request: GivenParameters): readonly InvalidValue[] {
  const { endpoint, texts, values } = request;
  const errors: InvalidValue[] = [...checkRange(request)];
  if (texts.get('type') === 'speci' && values.sample !== undefined && values.sample !== 'all')
    errors.push({
      name: 'type',
      detail: 'speci leaves nothing in the hourly sample, which has METARs only: add sample=all',
    });
  // An endpoint without `include` always has decoded fields.
  if (texts.has('fields') && values.include && !texts.get('include')?.split(',').includes('decoded'))
    errors.push({
      name: 'fields',
      detail: 'selects decoded fields: write include=decoded or include=raw,decoded',
    });
  if (endpoint === 'statistics') errors.push(...checkColumns(request));
  if (endpoint === 'stations' && texts.has('radius_km') && !texts.has('near'))
    errors.push({
      name: 'radius_km',
      detail: 'is the distance from a point: write near=LAT,LON too, as in near=50.03,8.57',
    });
  return errors;
}

/** Rejects a range that ends before it begins; the error names a bound that the request has. */
function checkRange({ texts, defaults, values }: GivenParameters): readonly InvalidValue[] {
  if (values.from === undefined || values.to === undefined) return [];
  const [from = '', to = ''] = ['from', 'to'].map((name) => texts.get(name) ?? defaults[name]);
  if (parseTimestamp(from) < parseTimestamp(to)) return [];
  if (!texts.has('from')) return [{ name: 'to', detail: `must be later than ${from}, the default of from` }];
  const detail = texts.has('to')
    ? 'must be earlier than to'
    : `must be earlier than ${to}, the default of to`;
  return [{ name: 'from', detail }];
}

/** The columns of statistics are those of `select` or of a preset, each with its own name. */
function checkColumns({ texts, values }: GivenParameters): readonly InvalidValue[] {
  const errors: InvalidValue[] = [];
  const detail =
    texts.has('select') || texts.has('preset')
      ? describeSameColumns(values.select ?? [], values.by ?? [])
      : 'is required, or preset: write the values of each row, as in count,mean(temp_c)';
  if (detail !== undefined) errors.push({ name: 'select', detail });
  const both = ['select', 'by', 'sample'].filter((other) => texts.has(other));
  if (texts.has('preset') && both.length > 0)
    errors.push({
      name: 'preset',
      detail: `replaces ${both.join(' and ')}: send one or the other; to change a preset, begin with its meta.expanded`,
    });
  return errors;
}

/** The part of the values in the key of cursors and cached data: the same for every way to write the same filters. */
export function canonicalValues(values: Values): object {
  const { stations, include, filter, select, preset, tz, bbox, q, near } = values;
  return {
    ...values,
    ...(stations && { stations: stations.toSorted() }),
    ...(include && { include: include.toSorted() }),
    ...(filter && { filter: canonicalCondition(filter) }),
    ...(select && {
      select: select.map((each) =>
        each.kind === 'condition' ? { ...each, condition: canonicalCondition(each.condition) } : each,
      ),
    }),
    ...(preset && { preset: preset.isMeanYear }),
    ...(tz && { tz: tz.timeZone }),
    ...(bbox && { bbox: [bbox.west, bbox.south, bbox.east, bbox.north] }),
    ...(q !== undefined && { q: q.toLowerCase() }),
    ...(near && { near: [near.latitude, near.longitude] }),
  };
}

/**
 * What the values ask the archive for: members of `Asked`.
 *
 * @param conditions which reports have to meet, in addition to `filter`
 */
export function askedOf(
  { type, include, filter, select, preset, by, tz, ...others }: Values,
  conditions: readonly Condition[],
): object {
  const all = filter === undefined ? conditions : [filter, ...conditions];
  return {
    ...others,
    ...(type && { types: REPORT_TYPES.filter((name) => type === 'all' || type === name.toLowerCase()) }),
    ...(include && { raw: include.includes('raw'), decoded: include.includes('decoded') }),
    ...(all.length > 0 && { condition: all.length === 1 ? all[0] : { kind: 'and', conditions: all } }),
    ...(select && { statistics: select }),
    ...(by && { groups: by }),
    ...(preset && { expanded: preset, ...(preset.isMeanYear && { isMeanYear: true }) }),
    ...tz,
  };
}
