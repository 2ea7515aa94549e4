import type { Archive, Select } from '../archive.ts';
import { type Block, blocksOf, type NumberColumn } from '../native-blocks.ts';
import type { Pauses } from '../pauses.ts';
import { streamLines } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { type AmountReport, addAmounts, HAS_GAUGE_AT_WORK } from './amounts.ts';
import { ABSENT, type Cell, valueSql } from './column.ts';
import { addExtremes, addPeaks, type ExtremeReport, type Extremes, type PeakReport } from './extremes.ts';
import { type StatementSource, selectOf } from './statement.ts';
import type { PlacedReport } from './times.ts';
import { type GroupPeriods, isGivenSql, isOfFirst, PERIOD_COLUMNS, type PeriodKind } from './values.ts';

const [REPORTS, GAUGES] = ['reports', 'gauges'].map((name) => readStatement(`periods/${name}`)) as [
  string,
  string,
];

/** What the groups of a station have of longer times, and the months in which its gauge works or gives an amount (D58). */
export type StationPeriods = {
  readonly groups: ReadonlyMap<string, GroupPeriods>;
  readonly measured: Set<string>;
};

/** Of so few rows that others need not wait long for one. */
const BLOCKS = { max_block_size: '16384' };

const DAY = 24 * 3600;
/** A little more than the rest of a month. */
const MONTH = 32 * DAY;

/** The reports of a station, in the order of their times; of one minute the special report first. */
class StationReports {
  /** Those with something of longer times. */
  readonly amounts = { 1: [] as AmountReport[], 6: [] as AmountReport[], 24: [] as AmountReport[] };
  readonly extremes: ExtremeReport[] = [];
  readonly peaks: PeakReport[] = [];
  /** The times of METARs, which may have reset a gauge. */
  readonly metars: number[] = [];
  readonly temperatures = { times: [] as number[], values: [] as number[] };
}

/** What stations have of longer times, by their numbers: one without reports of these kinds has nothing. */
export async function readPeriods(
  archive: Archive,
  source: StatementSource,
  stations: readonly number[],
  pauses: Pauses,
): Promise<ReadonlyMap<number, StationPeriods>> {
  const periods = new Map<number, StationPeriods>();
  if (stations.length === 0) return periods;
  const select = ofGroup(source, selectOf(source, reportsQuery(source)), stations);
  const bytes = await archive.select({ ...select, settings: { ...select.settings, ...BLOCKS } });
  // One station after another, because objects that live for long cost most.
  let station = stations[0] as number;
  let reports = new StationReports();
  const finish = async () => periods.set(station, await periodsOf(source, station, reports, pauses));
  for (const block of blocksOf(bytes))
    for (const [next, from, to] of stationsIn(block)) {
      if (next !== station) {
        await finish();
        [station, reports] = [next, new StationReports()];
      }
      addRows(reports, block, from, to);
      await pauses.take();
    }
  await finish();
  return periods;
}

/** A statement about some of the stations: its parameter `group`. */
export function ofGroup(source: StatementSource, select: Select, stations: readonly number[]): Select {
  const group = stations.map((number) => source.stations[number]);
  return { ...select, params: { ...select.params, group } };
}

/** The numbers of the stations of a block, and their rows. */
function* stationsIn({
  rows,
  numbers,
}: Block): Generator<readonly [station: number, from: number, to: number]> {
  const stations = (numbers.get('_station') as NumberColumn).values;
  for (let from = 0, to = 0; from < rows; from = to) {
    const station = stations[from] as number;
    while (stations[to] === station) to += 1;
    yield [station, from, to];
  }
}

async function periodsOf(
  source: StatementSource,
  station: number,
  { amounts, extremes, peaks, metars, temperatures }: StationReports,
  pauses: Pauses,
): Promise<StationPeriods> {
  const place = source.placeOf(station);
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
  await addAmounts(amounts, metars, { place, amountsAt, hasLongAmounts, measured, pauses });
  const groupsOf = (kind: PeriodKind) => ({ place, groupAt, onlyFirst: isOnlyFirst(source, kind), pauses });
  await addExtremes(extremes, temperatures, groupsOf('extremes'));
  await addPeaks(peaks, groupsOf('peaks'));
  return { groups, measured };
}

function isOnlyFirst({ question, values }: StatementSource, kind: PeriodKind): boolean {
  return question.statistics.some(
    (statistic, at) => values[at]?.joined?.of === kind && isOfFirst(statistic, question),
  );
}

/** Two days before and after the range decide about extremes and the hours of gauges. */
function reportsQuery({
  station,
  sample,
  kinds,
  condition = '1',
  groups,
  question,
}: StatementSource): string {
  const isGiven = kinds.map(isGivenSql).join(' OR ');
  const fields = kinds.flatMap((kind) => PERIOD_COLUMNS[kind]);
  const others = groups.filter((_, at) => question.groups[at]?.kind !== 'calendar');
  const columns: Readonly<Record<string, string>> = {
    // A condition on a field of few texts is LowCardinality.
    counts: `CAST(ifNull(${condition}, 0), 'UInt8')`,
    isGiven,
    ...Object.fromEntries(fields.map((field) => [field, valueSql(field)])),
    ...(kinds.includes('peaks') && { pk_time: `toUInt16OrNull(${valueSql('pk_time')})` }),
    ...(kinds.includes('extremes') && { temp_c: valueSql('temp_c') }),
    ...(others.length > 0 && {
      others: `CAST(arrayStringConcat([${others.map(({ sql }) => `ifNull(toString(${sql}), '\\${ABSENT}')`)}], '\t'), 'String')`,
    }),
  };
  return fillSql(REPORTS, {
    station,
    columns: Object.entries(columns)
      .map(([name, sql]) => `${sql} AS _${name}`)
      .join(',\n    '),
    sample: sample(2 * DAY, 2 * DAY),
    // The other METARs and temperatures decide about amounts and extremes, not about peak winds.
    isRead: kinds.some((kind) => kind !== 'peaks') ? '1' : `(${isGiven})`,
  });
}

/** Adds rows of a block to the reports of their station. */
function addRows(reports: StationReports, { rows, numbers, texts }: Block, from: number, to: number): void {
  const absent: NumberColumn = { isNull: new Uint8Array(rows).fill(1), values: new Uint8Array() };
  const column = (name: string) => numbers.get(`_${name}`) ?? absent;
  const times = column('time').values;
  const [isMetar, isFirst] = [column('isMetar').values, column('isFirst').values];
  const [counts, isGiven] = [column('counts').values, column('isGiven').values];
  const [temperature, others] = [column('temp_c'), texts.get('_others')];
  const [one, six, day] = PERIOD_COLUMNS.amounts.map(column) as Columns;
  const [max6, min6, max24, min24] = PERIOD_COLUMNS.extremes.map(column) as Columns;
  const [peak, peakTime] = PERIOD_COLUMNS.peaks.map(column) as Columns;
  const { amounts, extremes, peaks, metars, temperatures } = reports;
  for (let row = from; row < to; row += 1) {
    const time = times[row] as number;
    if (isMetar[row] === 1) metars.push(time);
    if (temperature.isNull[row] === 0) {
      temperatures.times.push(time);
      temperatures.values.push(temperature.values[row] as number);
    }
    if (isGiven[row] === 0) continue;
    const report: PlacedReport = {
      time,
      isFirst: isFirst[row] === 1,
      counts: counts[row] === 1,
      others: others?.[row]?.split('\t') ?? NO_CELLS,
    };
    addAmount(amounts[1], report, one, row);
    addAmount(amounts[6], report, six, row);
    addAmount(amounts[24], report, day, row);
    const ofSix = extremesOf(max6, min6, row);
    const ofDay = extremesOf(max24, min24, row);
    if (ofSix !== NO_EXTREMES || ofDay !== NO_EXTREMES) extremes.push({ report, six: ofSix, day: ofDay });
    if (peak.isNull[row] === 0 && peakTime.isNull[row] === 0)
      peaks.push({ report, peak: peak.values[row] as number, peakTime: peakTime.values[row] as number });
  }
}

type Columns = [NumberColumn, NumberColumn, NumberColumn, NumberColumn];

const NO_CELLS: readonly Cell[] = [];
const NO_EXTREMES: Extremes = [undefined, undefined];

function addAmount(
  to: AmountReport[],
  report: PlacedReport,
  { isNull, values }: NumberColumn,
  row: number,
): void {
  if (isNull[row] === 0)
    to.push({ report, time: report.time, amount: Math.round((values[row] as number) * 100) });
}

function extremesOf(max: NumberColumn, min: NumberColumn, row: number): Extremes {
  if (max.isNull[row] === 1 && min.isNull[row] === 1) return NO_EXTREMES;
  return [tenthsOf(max, row), tenthsOf(min, row)];
}

/** The tenths of a float, as a report gives them. */
function tenthsOf({ isNull, values }: NumberColumn, row: number): number | undefined {
  return isNull[row] === 1 ? undefined : Math.round((values[row] as number) * 10) / 10;
}

/** Rows of a statement by the number of their station, which is their first cell. */
export async function readByStation<Row>(
  archive: Archive,
  select: Select,
  rowOf: (cells: readonly Cell[]) => Row,
): Promise<ReadonlyMap<number, readonly Row[]>> {
  const rows = new Map<number, Row[]>();
  for await (const lines of streamLines(archive, select))
    for (const line of lines.toString('latin1').trimEnd().split('\n')) {
      const cells = line.split('\t');
      const ofStation = rows.get(Number(cells[0]));
      if (ofStation === undefined) rows.set(Number(cells[0]), [rowOf(cells)]);
      else ofStation.push(rowOf(cells));
    }
  return rows;
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
