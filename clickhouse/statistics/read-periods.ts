import { setImmediate as turn } from 'node:timers/promises';
import type { Archive, Select } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import { clampToArchive, NO_TIME } from '../model/time-window.ts';
import { streamLines } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { AMOUNTS, type AmountReport, addAmounts, HAS_GAUGE_AT_WORK } from './amounts.ts';
import { type Cell, numberOf, valueSql } from './column.ts';
import { addPeaks, type ExtremeReport, ExtremesOfStation, type PeakReport } from './extremes.ts';
import { type StatementSource, selectOf } from './statement.ts';
import type { Place } from './times.ts';
import { type GroupPeriods, isGivenSql, isOfFirst, PERIOD_COLUMNS, type PeriodKind } from './values.ts';

const [REPORTS, DAYS, GAUGES] = ['reports', 'days', 'gauges'].map((name) =>
  readStatement(`periods/${name}`),
) as [string, string, string];

/** What the groups of a station have of longer times, and the months in which its gauge works or gives an amount (D58). */
export type StationPeriods = {
  readonly groups: ReadonlyMap<string, GroupPeriods>;
  readonly measured: Set<string>;
};

const HOUR = 3600;
const DAY = 24 * HOUR;
/** A little more than the rest of a month. */
const MONTH = 32 * DAY;
/**
 * Reports that are in memory at once: those of so much time of all stations together. A year of a station in the rain has 17,000
 * of them.
 */
const SECONDS_AT_ONCE = 25 * 365 * DAY;

type PeriodReport = AmountReport & ExtremeReport & PeakReport;

/** A report of the days of others. */
type DayReport = {
  readonly time: number;
  readonly isMetar: boolean;
  readonly temperature: number | undefined;
};

/**
 * What stations have of longer times, by their numbers, which are asked for in ascending order; a station without reports of
 * these kinds has nothing. Stations are read in groups, so that the reports of no more than one group are in memory.
 */
export function periodsReader(archive: Archive, source: StatementSource) {
  const { from, to } = clampToArchive(source.question) ?? NO_TIME;
  const seconds = Math.max(0, Math.min(to, Date.now() / 1000) - from) + 2 * MONTH;
  const size = Math.max(1, Math.floor(SECONDS_AT_ONCE / seconds));
  let read: { readonly group: number; readonly periods: ReadonlyMap<number, StationPeriods> } | undefined;
  return async (station: number): Promise<StationPeriods | undefined> => {
    const group = Math.floor(station / size);
    if (read?.group !== group) {
      read = undefined;
      const stations = source.stations.slice(group * size, (group + 1) * size);
      read = { group, periods: await readPeriods(archive, source, stations) };
    }
    return read.periods.get(station);
  };
}

async function readPeriods(
  archive: Archive,
  source: StatementSource,
  group: readonly string[],
): Promise<ReadonlyMap<number, StationPeriods>> {
  const stations = [...(await readReports(archive, source, group))].map(([number, reports]) => {
    const place = source.placeOf(number);
    const extremes = new ExtremesOfStation(place, reports, isOnlyFirst(source, 'extremes'));
    return { number, place, reports, extremes };
  });
  const days = stations.flatMap(({ number, reports, extremes }) => {
    const ofAmounts = reports.filter(({ amounts }) => amounts[1] !== undefined);
    const times = [
      ...ofAmounts.flatMap(({ time }) => [time, time - DAY]),
      ...extremes.hours.flatMap((hour) => [(hour - 1) * HOUR, hour * HOUR]),
    ];
    return [...new Set(times.map((time) => Math.floor(time / DAY)))].map((day) => `${number}\t${day}\n`);
  });
  const others = await readDays(archive, source, group, days);
  const periods = new Map<number, StationPeriods>();
  for (const station of stations)
    periods.set(station.number, await periodsOf(source, station, others.get(station.number) ?? []));
  return periods;
}

async function periodsOf(
  source: StatementSource,
  station: {
    readonly place: Place;
    readonly reports: readonly PeriodReport[];
    readonly extremes: ExtremesOfStation;
  },
  others: readonly DayReport[],
): Promise<StationPeriods> {
  const { place, reports, extremes } = station;
  const groups = new Map<string, GroupPeriods>();
  const measured = new Set<string>();
  const groupAt = (name: string) => {
    const group = groups.get(name) ?? {};
    groups.set(name, group);
    return group;
  };
  const amountsAt = (name: string) => {
    const group = groupAt(name);
    group.amounts ??= {};
    return group.amounts;
  };
  const hasLongAmounts = place.isOfDays && source.condition === undefined;
  await addAmounts(withMetars(reports, others), place, hasLongAmounts, amountsAt, measured);
  await turn();
  const temperatures = groupBy(others, ({ time }) => Math.ceil(time / HOUR));
  extremes.add(groupAt, (hour) =>
    (temperatures.get(hour) ?? []).flatMap(({ temperature }) => temperature ?? []),
  );
  await turn();
  addPeaks(reports, place, isOnlyFirst(source, 'peaks'), groupAt);
  return { groups, measured };
}

function isOnlyFirst({ question, values }: StatementSource, kind: PeriodKind): boolean {
  return question.statistics.some(
    (statistic, at) => values[at]?.joined?.of === kind && isOfFirst(statistic, question),
  );
}

/** Reports with amounts, and the METARs of their days. */
function withMetars(reports: readonly PeriodReport[], others: readonly DayReport[]): readonly AmountReport[] {
  const given = reports.filter(({ amounts }) => AMOUNTS.some((hours) => amounts[hours] !== undefined));
  const known = new Set(given.flatMap(({ isMetar, time }) => (isMetar ? [time] : [])));
  const metars = others.filter(({ isMetar, time }) => isMetar && !known.has(time));
  return [
    ...given,
    ...metars.map(({ time }) => ({
      time,
      isMetar: true,
      amounts: NO_AMOUNTS,
      counts: false,
      others: NO_CELLS,
    })),
  ].sort((one, other) => one.time - other.time || Number(one.isMetar) - Number(other.isMetar));
}

/**
 * Rows of a statement by the number of their station.
 *
 * @param rowOf the cells begin with that of the number
 */
export async function readByStation<Row>(
  archive: Archive,
  select: Select,
  rowOf: (cells: readonly Cell[]) => Row,
): Promise<ReadonlyMap<number, readonly Row[]>> {
  const rows = new Map<number, Row[]>();
  for await (const lines of streamLines(archive, select)) {
    for (const line of lines.toString('latin1').trimEnd().split('\n')) {
      const cells = line.split('\t');
      const ofStation = rows.get(Number(cells[0]));
      if (ofStation === undefined) rows.set(Number(cells[0]), [rowOf(cells)]);
      else ofStation.push(rowOf(cells));
    }
    await turn();
  }
  return rows;
}

/** Amounts are those of the whole months in which a range begins and ends; two days decide about extremes and the hours of gauges. */
function sampleOf({ sample, isCut }: StatementSource, kinds: readonly PeriodKind[]): string {
  const seconds = kinds.includes('amounts') && isCut ? MONTH : 2 * DAY;
  return sample(seconds, seconds);
}

function readReports(archive: Archive, source: StatementSource, group: readonly string[]) {
  const { station, condition, groups, question, kinds } = source;
  const asked: readonly string[] = kinds.flatMap((kind) => PERIOD_COLUMNS[kind]);
  const fields = Object.values(PERIOD_COLUMNS).flat();
  const query = fillSql(REPORTS, {
    station,
    columns: [
      'toUInt32(observedAt)',
      "type = 'METAR'",
      "counts = 'hour'",
      condition === undefined ? '1' : `ifNull(${condition}, 0)`,
      ...fields.map((field) => (asked.includes(field) ? valueSql(field) : 'NULL')),
      ...groups.flatMap(({ sql }, at) => (question.groups[at]?.kind === 'calendar' ? [] : [sql])),
    ].join(',\n    '),
    sample: sampleOf(source, kinds),
    isGiven: kinds.map(isGivenSql).join(' OR '),
  });
  const count = groups.length - source.calendar.units.length;
  return readByStation(
    archive,
    selectOfGroup(source, group, query),
    (cells): PeriodReport => ({
      time: Number(cells[1]),
      isMetar: cells[2] === '1',
      isFirst: cells[3] === '1',
      counts: cells[4] === '1',
      amounts: amountsIn(cells, 5),
      six: extremesIn(cells, 8),
      day: extremesIn(cells, 10),
      peak: numberOf(cells[12]),
      peakTime: numberOf(cells[13]),
      others: count === 0 ? NO_CELLS : cells.slice(-count),
    }),
  );
}

function amountsIn(cells: readonly Cell[], at: number): AmountReport['amounts'] {
  const [one, six, day] = [hundredths(cells[at]), hundredths(cells[at + 1]), hundredths(cells[at + 2])];
  return one === undefined && six === undefined && day === undefined
    ? NO_AMOUNTS
    : { 1: one, 6: six, 24: day };
}

function extremesIn(cells: readonly Cell[], at: number): ExtremeReport['six'] {
  const [max, min] = [numberOf(cells[at]), numberOf(cells[at + 1])];
  return max === undefined && min === undefined ? NO_EXTREMES : [max, min];
}

// Most reports have something of one kind: the others share these.
const NO_CELLS: readonly Cell[] = [];
const NO_AMOUNTS: AmountReport['amounts'] = {};
const NO_EXTREMES: ExtremeReport['six'] = [undefined, undefined];

function hundredths(cell: Cell | undefined): number | undefined {
  const inches = numberOf(cell);
  return inches === undefined ? undefined : Math.round(inches * 100);
}

function selectOfGroup(source: StatementSource, group: readonly string[], query: string): Select {
  const select = selectOf(source, query);
  return { ...select, params: { ...select.params, group } };
}

async function readDays(
  archive: Archive,
  source: StatementSource,
  group: readonly string[],
  days: readonly string[],
) {
  if (days.length === 0) return new Map<number, readonly DayReport[]>();
  const query = fillSql(DAYS, {
    station: source.station,
    temperature: valueSql('temp_c'),
    sample: sampleOf(source, ['amounts']),
  });
  const structure = '_station UInt16, day UInt16';
  const file = { name: 'days', format: 'TSV', structure, bytes: Buffer.from(days.join('')) };
  return readByStation(
    archive,
    { ...selectOfGroup(source, group, query), file },
    ([, time, isMetar, temperature]): DayReport => ({
      time: Number(time),
      isMetar: isMetar === '1',
      temperature: numberOf(temperature),
    }),
  );
}

/** By station: a time of each month in which its gauge works or gives an amount, also outside the range. */
export function readGauges(
  archive: Archive,
  source: StatementSource,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const query = fillSql(GAUGES, {
    station: source.station,
    sample: source.sample(MONTH, MONTH),
    isMeasured: `(${HAS_GAUGE_AT_WORK} OR ${isGivenSql('amounts')})`,
    local: source.local.sql('toUInt32(observedAt)'),
  });
  return readByStation(archive, selectOf(source, query), ([, time]) => Number(time));
}
