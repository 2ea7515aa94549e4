import type { Select, StatementSettings } from '../archive.ts';
import { conditionSql } from '../conditions/condition.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import { planSettings } from '../statements/select.ts';
import { fillSql, readStatement, SqlParameters } from '../statements/sql.ts';
import type { Clock } from '../zones/clocks.ts';
import { IS_GAUGE_AT_WORK, IS_WET } from './amounts.ts';
import { Calendar } from './calendar.ts';
import { PRESENCE } from './complete-days.ts';
import { calendarUnits, type GroupColumn, groupColumns } from './groups.ts';
import { questionOfDays } from './normals.ts';
import type { Question } from './question.ts';
import { type LocalTime, localTime, type Place, placeOf, sampledWindow } from './times.ts';
import { countOfReports, isGivenSql, type PeriodKind, readSampleOf, type Value, valuesOf } from './values.ts';

const [SAMPLE, VALUES] = ['sample', 'values'].map((name) => readStatement(`statistics/${name}`)) as [
  string,
  string,
];

/** A question, and what its statements share. */
export class StatementSource {
  readonly question: Question;
  readonly settings: StatementSettings;
  /** In the order of the answer. */
  readonly stations: readonly string[];
  /** SQL: the number of the station. */
  readonly station: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** SQL over a report: whether it counts. */
  readonly condition: string | undefined;
  readonly local: LocalTime;
  readonly calendar: Calendar;
  readonly groups: readonly GroupColumn[];
  readonly values: readonly Value[];
  /** The parts of values that are joined with longer times. */
  readonly parts: readonly string[];
  /** The kinds of longer times that values need. */
  readonly kinds: readonly PeriodKind[];
  /** Reports around the range are read too: they decide about its first and last days, or say something of its time. */
  readonly hasMargin: boolean;
  /** The reports that count are the hourly sample and others: they tell which days are complete. */
  readonly hasPresence: boolean;
  readonly #clockOf: ReadonlyMap<string, Clock>;

  /** @param clocks each station of the question belongs to one */
  constructor(asked: Question, clocks: readonly Clock[], settings: StatementSettings = {}) {
    const question = asked.isMeanYear ? questionOfDays(asked) : asked;
    const parameters = new SqlParameters('value');
    this.question = question;
    this.settings = settings;
    this.stations = question.stations.toSorted();
    this.station = this.stations.length === 1 ? 'toUInt16(0)' : NUMBER_OF_STATION;
    this.local = localTime(clocks, this.stations, question);
    this.calendar = new Calendar(calendarUnits(question.groups));
    this.groups = groupColumns(question.groups, parameters);
    this.condition = question.condition && conditionSql(question.condition, parameters);
    this.values = valuesOf(question, parameters);
    this.parts = [...new Set(this.values.flatMap(({ joined }) => joined?.parts ?? []))];
    this.kinds = [...new Set(this.values.flatMap(({ joined }) => joined?.of ?? []))];
    const isSampled = this.condition === undefined && question.types.includes('METAR');
    this.hasPresence = question.days === 'complete' && isSampled;
    this.hasMargin = this.hasPresence || this.kinds.length > 0;
    this.#clockOf = new Map(clocks.flatMap((clock) => clock.stations.map((station) => [station, clock])));
    const { stations } = this;
    this.params = {
      ...sampledWindow(clocks, question),
      stations,
      ...parameters.values,
      ...this.local.params,
    };
  }

  /** The clause FROM: reports of the range, and of some seconds before and after it, whether or not they meet `condition`. */
  readonly sample = (before: number, after: number): string =>
    this.#sampleOf(countedSql(this.question), before, after);

  /** The same of the first METARs of all hours, of every type. */
  readonly hourlySample = (before: number, after: number): string =>
    this.#sampleOf("counts = 'hour'", before, after);

  #sampleOf(counted: string, before: number, after: number): string {
    const stations =
      this.stations.length === 1
        ? 'station = {stations:Array(String)}[1]'
        : 'station IN {stations:Array(String)}';
    return fillSql(SAMPLE, { stations, before: `${before}`, after: `${after}`, counted }).trimEnd();
  }

  /** @param station its number */
  placeOf(station: number): Place {
    const clock = this.#clockOf.get(this.stations[station] as string) as Clock;
    return placeOf(this.question, clock, this.calendar);
  }
}

/** The letters of a code as a number. As keys of groups they leave its place in the list to be found once for each group. */
const LETTERS = "CAST(reinterpretAsUInt32(station), 'UInt32')";
const NUMBER_OF_STATION = `toUInt16(transform(reinterpretAsString(${LETTERS}), {stations:Array(String)}, range(length({stations:Array(String)})), 0))`;

/** Only the first report of an hour is judged: it counts where it meets the condition. */
function countedSql({ statistics, sample, types }: Question): string {
  const read = readSampleOf(statistics, sample);
  const ofTypes = read !== 'first' && types.length === 1 ? `\n    AND type = '${types[0]}'` : '';
  return `${read === 'first' ? "counts = 'hour'" : "counts != 'no'"}${ofTypes}`;
}

/**
 * The statement of a question. Its rows have the number of the station, what `judgedColumns` say, the groups, the parts of values,
 * the reports that count, and the other values, in the order of stations and groups.
 */
export function valuesStatement(source: StatementSource): Select {
  const { question, groups, values, parts, hasMargin, condition, local } = source;
  return groupStatement(source, {
    columns: [
      ...Object.values(judgedColumns(source)).flat(),
      ...groups.map(({ sql }, at) => `${sql} AS _group${at}`),
      ...parts,
      `${countOfReports(question)} AS n`,
      ...values.flatMap(({ sql }) => sql ?? []),
    ],
    sample: hasMargin ? source.sample(MARGIN, MARGIN) : source.sample(0, 0),
    conditions: [condition ?? [], (!hasMargin && local.isInRange) || []].flat(),
    groupBy: [...groups.map((_, at) => `_group${at}`), ...(hasMargin ? ['_part'] : [])],
  });
}

/** A day, and the longest run of missing hours. */
const MARGIN = 32 * 3600;

/** What is judged of a group beside its values. */
export function judgedColumns({ hasMargin, hasPresence, kinds, parts, local }: StatementSource) {
  return {
    part: hasMargin ? [partSql(local)] : [],
    presence: hasPresence ? PRESENCE : [],
    /** Whether a report of the group has something of each. */
    kinds: kinds.map((kind) => `max(${isGivenSql(kind)})`),
    gauge: parts.includes(IS_WET) ? [IS_GAUGE_AT_WORK] : [],
  };
}

/** Whether reports lie before the range, in it (1), or after it. */
function partSql({ range: { from, to } }: LocalTime): string {
  const observed = 'toUInt32(observedAt)';
  return `(${observed} >= ${from}) + (${observed} >= ${to}) AS _part`;
}

const OF_GROUP = 'station IN {group:Array(String)}';

/** Parts of days of the stations `group`, over the first METARs of hours: the columns of their presence and the day. */
export function presenceStatement(source: StatementSource): Select {
  return groupStatement(source, {
    columns: [partSql(source.local), ...PRESENCE, `${source.groups[0]?.sql} AS _group0`],
    sample: source.hourlySample(MARGIN, MARGIN),
    conditions: [OF_GROUP],
    groupBy: ['_group0', '_part'],
  });
}

function groupStatement(
  source: StatementSource,
  parts: {
    readonly columns: readonly string[];
    readonly sample: string;
    readonly conditions: readonly string[];
    readonly groupBy: readonly string[];
  },
): Select {
  const { local, station, stations } = source;
  const query = fillSql(VALUES, {
    local: local.sql('toUInt32(observedAt)'),
    localHour: local.sql(`${NOMINAL_HOUR} * 3600`),
    station,
    columns: parts.columns.join(',\n    '),
    sample: [parts.sample, ...parts.conditions.map((each) => `(${each})`)].join('\n    AND '),
    keys: [stations.length === 1 ? '_station' : LETTERS, ...parts.groupBy].join(', '),
    groups: ['_station', ...parts.groupBy].join(', '),
  });
  return selectOf(source, query);
}

/** A statement over reports of the question. */
export function selectOf({ params, stations, condition, settings }: StatementSource, query: string): Select {
  return {
    query,
    params,
    ofStations: stations.length > 1,
    settings: { ...settings, ...planSettings({ condition }) },
  };
}
