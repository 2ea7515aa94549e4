import { setImmediate as turn } from 'node:timers/promises';
import type { Archive, StatementSettings } from '../archive.ts';
import { NOMINAL_HOUR } from '../model/time-window.ts';
import { streamLines } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { type AmountQuestion, amountRows, type GroupedReport } from './amount-rows.ts';
import { ABSENT, valueSql } from './column.ts';
import { OBSERVED } from './order.ts';
import { localTimes, type PeriodSource, placeOf } from './period-source.ts';
import type { Group, Statistic } from './question.ts';

const REPORTS = readStatement('periods/amount_reports');

/** The fields with amounts of one, six and 24 hours. */
const AMOUNTS = ['pcp1h_in', 'pcp6h_in', 'pcp24h_in'];

const DAY = 86_400;

/** Amounts of gauges, which count reports of every kind, whatever the sample (D58). */
export function isOfGauges(statistic: Statistic): boolean {
  return (
    statistic.kind === 'total' ||
    (statistic.kind === 'number' && statistic.of === 'sum' && statistic.field === 'pcp1h_in')
  );
}

/** SQL: the sum of the gauge hours, in inches; hundredths are added, so that it is exact. */
export const GAUGE_HOURS = 'sum(_ofGauge) / 100';

/** SQL over the reports of a group: whether they say that precipitation falls at the station. `VCSH` and `BLSN` do not. */
export const IS_WET = (() => {
  const isFalling = "'(^| )[-+]?(MI|PR|BC|SH|TS|FZ|BR|FG|HZ|FU)*(DZ|RA|SN|SG|PL|GR|GS|UP|IC)'";
  const ofWeather = `ifNull(match(${valueSql('wx')}, ${isFalling}), 0)`;
  return `max(${ofWeather} OR ifNull(${valueSql('pcp3h_in')} > 0, 0))`;
})();

/**
 * SQL: the amount of a group in inches; NULL where it is not known. Without any amount it is 0 where no report says that
 * precipitation falls, and a gauge works in the month.
 *
 * @param isWet SQL: NULL without a report
 * @param isOfMonth what its month takes of a day: all that it has, also where the day does not know its own part
 */
export function totalSql(isWet: string, groups: readonly Group[], isOfMonth = false): string {
  const total = isOfMonth ? '_ofMonth' : '_total';
  return `multiIf(
        max(_isUnknown), ${isOfMonth ? `ifNull(sum(${total}), 0) / 100` : 'NULL'},
        max(_isGiven) OR count(${total}) > 0, ifNull(sum(${total}), 0) / 100,
        ${isWet} = 0 AND max(max(_isMeasured)) OVER (PARTITION BY ${monthOf(groups).join(', ')}), 0,
        NULL)`;
}

/** SQL: the station and the month of a group; the group itself where it is longer. */
function monthOf(groups: readonly Group[]): readonly string[] {
  const units = groups.flatMap((group, at) =>
    group.kind === 'calendar' ? [{ unit: group.unit, name: `_group${at}` }] : [],
  );
  const date = units.find(({ unit }) => unit === 'date');
  const parts =
    date === undefined
      ? units.filter(({ unit }) => unit !== 'hour').map(({ name }) => name)
      : [`toYYYYMM(toDate(${date.name}))`];
  return ['_station', ...parts];
}

/** The columns of the rows, after the station and the groups. */
export const AMOUNT_COLUMNS = {
  _total: 'Nullable(Int64)',
  _ofMonth: 'Nullable(Int64)',
  _ofGauge: 'Nullable(Int64)',
  _isUnknown: 'Nullable(UInt8)',
  _isGiven: 'Nullable(UInt8)',
  _isMeasured: 'Nullable(UInt8)',
} as const;
/** SQL over a report: whether it gives an amount. */
export const HAS_AMOUNTS = `(${AMOUNTS.map((field) => `${field} IS NOT NULL`).join(' OR ')})`;

/** The first hours and the last of months, in every zone, and a little more. */
const MONTH = 32 * DAY;
/** Lines whose rows are computed before other requests have their turn. */
const LINES_AT_ONCE = 2000;

/**
 * Reads the amounts of a question, as tab-separated rows by groups. A gauge is followed report by report, which SQL does only
 * in a dozen levels; they are few.
 */
export async function readAmounts(
  archive: Archive,
  source: PeriodSource,
  settings: StatementSettings,
): Promise<readonly string[]> {
  const { isOfDays, stations, groups } = source;
  const rows: string[] = [];
  let station = -1;
  let reports: GroupedReport[] = [];
  let lines = 0;
  const flush = () => {
    if (reports.length > 0)
      for (const row of amountRows(reports, questionOf(source, stations[station] as string)))
        rows.push([station, ...(groups.length === 0 ? row.slice(1) : row)].join('\t'));
    reports = [];
  };
  const select = {
    query: reportsSql(source),
    params: source.params,
    ofStations: stations.length > 1,
    settings,
  };
  for await (const part of streamLines(archive, select))
    for (const line of part.toString('latin1').trimEnd().split('\n')) {
      const [number, time, isMetar, hour, six, day, counts, ...group] = line.split('\t');
      if (Number(number) !== station) flush();
      station = Number(number);
      reports.push({
        time: Number(time),
        isMetar: isMetar === '1',
        amounts: { ...amountOf(1, hour), ...amountOf(6, six), ...amountOf(24, day) },
        counts: counts === '1',
        group: isOfDays ? '' : group.join('\t'),
      });
      lines += 1;
      if (lines % LINES_AT_ONCE === 0) await turn();
    }
  flush();
  return rows;
}

/** The reports that decide about amounts: of whole months, or of the clocks of gauges. */
export function amountSample({ sample, isOfDays }: PeriodSource): string {
  return isOfDays ? sample(MONTH, MONTH) : sample(2 * DAY, 2 * DAY);
}

function amountOf(hours: 1 | 6 | 24, text: string | undefined) {
  return text === ABSENT ? undefined : { [hours]: Number(text) };
}

function reportsSql(source: PeriodSource): string {
  const { station, condition, local, groups, isOfDays } = source;
  const times = localTimes(local, OBSERVED);
  return fillSql(REPORTS, {
    // Whole days are known in this process.
    with:
      isOfDays && condition === undefined
        ? ''
        : `WITH ${times.local} AS local, ${times.localHour} AS localHour`,
    station,
    columns: [
      OBSERVED,
      "type = 'METAR'",
      ...AMOUNTS.map((field) => `toInt64(round(${valueSql(field)} * 100))`),
      condition === undefined ? '1' : `ifNull(${condition}, 0)`,
      ...(isOfDays ? [] : groups.map(({ sql }) => sql)),
    ].join(',\n    '),
    sample: amountSample(source),
    isGiven: HAS_AMOUNTS,
    day: `toInt64(intDiv(${NOMINAL_HOUR}, 24))`,
  });
}

function questionOf(source: PeriodSource, station: string): AmountQuestion {
  const { from, to, localAt, groupAt } = placeOf(source, station);
  return {
    from,
    to,
    ...(groupAt && { groupAt }),
    monthAt: (time) => {
      const date = new Date(localAt(time) * 1000);
      return date.getUTCFullYear() * 12 + date.getUTCMonth();
    },
    hasLongAmounts: source.isOfDays && source.question.condition === undefined,
    isOfOneDay: source.isOfOneDay,
  };
}
