import { type Condition, canonicalCondition } from '../../clickhouse/conditions/condition.ts';
import { NAMED_COLUMNS } from '../../clickhouse/model/named-fields.ts';
import { REPORT_TYPES, type ReportType } from '../../clickhouse/model/report.ts';
import type { BoundingBox, Coordinates } from '../../clickhouse/stations.ts';
import type { Group, Sample, Statistic } from '../../clickhouse/statistics/question.ts';
import type { InvalidValue } from '../../clickhouse/validation.ts';
import type { TimeZone } from '../../clickhouse/zones/clocks.ts';
import { AREA_NAMES, type EndpointParameters, PARAMETERS } from './parameters.ts';
import {
  isDate,
  parseBoundingBox,
  parsePoint,
  parseTimestamp,
  parseTimeZone,
  readCondition,
  readFields,
  toSeconds,
} from './parse-values.ts';

// How the texts of parameters are read, which values exclude each other, and which values mean the same.

/** A named question (D47): it stands for `of`, `select`, `by` and `sample`. */
export type Preset = {
  readonly title: string;
  /** Of reports if it is absent. */
  readonly of?: 'days';
  readonly select: string;
  readonly by: string;
  readonly sample?: Sample;
};

/** The values of parameters. Those that are required or have a default are present if the endpoint has the parameter. */
export type Values = {
  /** Codes; empty until `nameStations` finds those of an area. */
  readonly stations: readonly string[];
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** `from` and `to` are midnights in UTC that stand for local days with the same dates (D63). */
  readonly isOfDays?: true;
  readonly type: string;
  readonly include: readonly string[];
  readonly fields?: readonly string[];
  readonly order: 'asc' | 'desc';
  readonly of: 'reports' | 'days';
  readonly select: readonly Statistic[];
  readonly preset?: Preset;
  readonly by?: readonly Group[];
  readonly sample: Sample;
  readonly tz: { readonly tz: string; readonly timeZone: TimeZone };
  readonly times: 'utc' | 'local';
  readonly country?: string;
  readonly bbox?: BoundingBox;
  readonly q?: string;
  readonly near?: Coordinates;
  readonly radius_km: number;
  readonly nearest?: number;
  /** How many hours the range has, if the request gives `hours` in place of `from` and `to`. */
  readonly hours?: number;
  /** The condition in `filter`. */
  readonly condition?: Condition;
};

export type ValueRules = {
  readonly parameters: EndpointParameters;
  /** Whether it needs stations, by their codes or by an area (`STATIONS_OR_AREA`). */
  readonly takesAreas?: true;
  /** Whether `from` and `to` may be days of UTC. */
  readonly takesDates?: true;
  /** Readers for parameters that only this endpoint has, unless the value is the text itself. */
  readonly readers?: Readonly<Record<string, (text: string) => unknown>>;
  /** Members that each record has, whatever `fields` names. */
  readonly keys?: readonly string[];
  /** What `fields` can name, if not the fields of reports. */
  readonly fields?: ReadonlyMap<string, { readonly name: string }>;
  /** What to write in place of parameters that it does not have. */
  readonly instead?: Readonly<Record<string, string>>;
  /** The texts of other parameters that a parameter (a preset, `hours`) stands for. */
  readonly expand?: (texts: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;
  /** Finds errors that depend on several parameters, for parameters that only this endpoint has. */
  readonly check?:
    | ((texts: ReadonlyMap<string, string>, values: Partial<Values>) => readonly InvalidValue[])
    | undefined;
};

const READERS: Readonly<Record<string, (text: string, endpoint: ValueRules) => unknown>> = {
  from: parseBound,
  to: parseBound,
  filter: (text) => readCondition(text),
  tz: (tz) => ({ tz, timeZone: parseTimeZone(tz) }),
  bbox: parseBoundingBox,
  near: parsePoint,
  radius_km: Number,
  nearest: Number,
  hours: Number,
};

/** The value of a text; `undefined` if the text breaks a rule that the schema does not have. @throws {ParameterError} */
export function parseText(name: string, text: string | readonly string[], endpoint: ValueRules): unknown {
  if (typeof text !== 'string')
    return name === 'fields' ? readFields(text, endpoint.fields ?? NAMED_COLUMNS, endpoint.keys) : text;
  const read = endpoint.readers?.[name] ?? READERS[name];
  return read === undefined ? text : read(text, endpoint);
}

function parseBound(text: string, endpoint: ValueRules): number {
  return toSeconds(parseTimestamp(text, takesDates(endpoint)));
}

/** Whether `from` and `to` may be dates: they are days of UTC, or `tz` says of which zone. */
export function takesDates(endpoint: Pick<ValueRules, 'parameters' | 'takesDates'>): boolean {
  return endpoint.takesDates ?? endpoint.parameters.tz !== undefined;
}

/** `isOfDays` if `from` and `to` are dates whose days are not those of UTC. */
export function rangeOfDates(texts: ReadonlyMap<string, string>, { tz }: Partial<Values>) {
  const isUtc = tz?.timeZone.kind === 'zone' && tz.timeZone.zone === 'UTC';
  return tz !== undefined && !isUtc && areDates(texts) ? { isOfDays: true } : {};
}

function areDates(texts: ReadonlyMap<string, string>): boolean {
  return ['from', 'to'].every((name) => isDate(texts.get(name) ?? ''));
}

type GivenParameters = {
  readonly endpoint: ValueRules;
  /** As written, lists with commas. */
  readonly texts: ReadonlyMap<string, string>;
  /** Time-dependent defaults of optional parameters. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly values: Partial<Values>;
};

export function checkTogether(request: GivenParameters): readonly InvalidValue[] {
  const { endpoint, texts, values } = request;
  const errors: InvalidValue[] = [...checkRange(request)];
  const refuse = (name: string, detail: string) => errors.push({ name, detail });
  if (takesDates(endpoint) && !endpoint.parameters.by && texts.has('tz') && !areDates(texts))
    refuse('tz', 'says which days dates are: write from and to as dates, as in 2024-01-31, or leave tz out');
  if (texts.get('type') === 'speci' && values.sample !== undefined && values.sample !== 'all')
    refuse('type', 'speci leaves nothing in the hourly sample, which has METARs only: add sample=all');
  // An endpoint without `include` always has decoded fields.
  if (texts.has('fields') && values.include && !texts.get('include')?.split(',').includes('decoded'))
    refuse('fields', 'selects decoded fields: write include=decoded or include=raw,decoded');
  errors.push(...(endpoint.check?.(texts, values) ?? []));
  if (endpoint.takesAreas) errors.push(...checkStations(texts));
  for (const [name, meaning] of [
    ['radius_km', 'the distance from a point'],
    ['nearest', 'a number of stations near a point'],
  ] as const)
    if (endpoint.parameters.near && texts.has(name) && !texts.has('near'))
      refuse(name, `is ${meaning}: write near=LAT,LON too, as in near=50.03,8.57`);
  return errors;
}

function checkStations(texts: ReadonlyMap<string, string>): readonly InvalidValue[] {
  const areas = AREA_NAMES.filter((name) => texts.has(name));
  if (texts.has('stations'))
    return areas.map((name) => ({
      name,
      detail: 'names stations by their area: send it or stations, not both',
    }));
  const detail = `is required: ${PARAMETERS.stations.description}; or in its place country, bbox, or near`;
  return areas.length === 0 ? [{ name: 'stations', detail }] : [];
}

/** Rejects a range that ends before it begins; the error names a bound that the request has. */
function checkRange({ endpoint, texts, defaults, values }: GivenParameters): readonly InvalidValue[] {
  if (values.from === undefined || values.to === undefined || texts.has('hours')) return [];
  const [from = '', to = ''] = ['from', 'to'].map((name) => texts.get(name) ?? defaults[name]);
  if (isDate(from) !== isDate(to)) {
    const [name, other] = isDate(from) ? ['from', 'to'] : ['to', 'from'];
    const [date, time] = isDate(from) ? [from, to] : [to, from];
    const detail = `is a date, and ${other} is a time: write two dates, as in ${date} and ${time.slice(0, 10)}, or two times, as in ${date}T00:00:00Z`;
    return [{ name, detail }];
  }
  const [begin, end] = [from, to].map((text) => parseTimestamp(text, takesDates(endpoint))) as [
    number,
    number,
  ];
  if (begin < end) return [];
  if (!texts.has('from')) return [{ name: 'to', detail: `must be later than ${from}, the default of from` }];
  const detail = texts.has('to')
    ? 'must be earlier than to'
    : `must be earlier than ${to}, the default of to`;
  return [{ name: 'from', detail }];
}

/** The part of the values that keys of cursors and of cached data contain: equal for every way to write the same filters. */
export function canonicalValues({ order, radius_km, ...values }: Partial<Values>): object {
  const { stations, include, condition, select, preset, tz, bbox, q, near, hours } = values;
  return {
    ...values,
    // The first page fixes the end of the hours for the whole walk, and its cursors contain that end.
    ...(hours !== undefined && { from: null, to: null }),
    // Cursors issued before this parameter existed stay valid: the default adds nothing.
    ...(order === 'desc' && { order }),
    ...(stations && { stations: stations.toSorted() }),
    ...(include && { include: include.toSorted() }),
    ...(condition && { condition: canonicalCondition(condition) }),
    ...(select && {
      select: select.map((each) =>
        each.kind === 'condition' ? { ...each, condition: canonicalCondition(each.condition) } : each,
      ),
    }),
    // `of`, `select`, `by` and `sample`, which the preset stands for, are in the values.
    ...(preset && { preset: undefined }),
    ...(tz && { tz: tz.timeZone }),
    ...(bbox && { bbox: [bbox.west, bbox.south, bbox.east, bbox.north] }),
    ...(q !== undefined && { q: q.toLowerCase() }),
    ...(near && { near: [near.latitude, near.longitude], radius_km }),
  };
}

export function typesOf(type: string): readonly ReportType[] {
  return REPORT_TYPES.filter((name) => type === 'all' || type === name.toLowerCase());
}
