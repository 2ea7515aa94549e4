import { NOMINAL_HOUR } from '../model/time-window.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { valueSql } from './column.ts';
import { OBSERVED } from './order.ts';
import { allOf, groupNames, type KindSource, localTimes, type RowSql } from './period-source.ts';
import type { Group, Statistic } from './question.ts';

const GAUGES = readStatement('periods/gauges');
const AMOUNTS = readStatement('periods/amounts');
const POINTS = readStatement('periods/points');
const ADDED = readStatement('periods/added_amounts');
const WINDOWS = readStatement('periods/windows');
const HOURS_OF_GAUGES = readStatement('periods/gauge_hours');
const GAUGE_REPORTS = readStatement('periods/gauge_reports');

const HOUR = 3600;
const DAY = 24 * HOUR;

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

/**
 * A day that has a part of an amount's hours does not know its total, unless gauge hours, or an amount of six hours, lie in
 * both.
 */
const IS_UNKNOWN = `arrayExists(
        (cut, isCut) -> isCut
            AND NOT arrayExists(gauge -> gauge > cut.1 AND gauge <= cut.2, groupArrayIf(time, hours = 1))
            AND NOT arrayExists(six -> six - ${6 * HOUR} >= cut.3 AND six <= cut.4, groupArrayIf(end, hours = 6 AND isWhole)),
        groupArray((since, time, begin, end)),
        groupArray(NOT isWhole AND added > 0))`;

/** The first hours and the last of months, in every zone, and a little more. */
const MONTH = 32 * DAY;

export function amountsSql(source: KindSource, row: RowSql): string {
  const { station, sample, condition, local, groups, isOfDays, isOfOneDay } = source;
  const { from, to } = local.range;
  const names = groupNames(groups);
  const grouped = ['_station', ...names].join(', ');
  const isGiven = allOf('at = time', condition);
  const gauges = fillSql(GAUGES, {
    from,
    to,
    ...localTimes(local, 'time'),
    localOfReport: local.sql('at'),
    station,
    columns: row(
      groups.map(({ sql }) => sql),
      { _isGiven: `max(${isGiven})`, _isMeasured: '1' },
    ).join(',\n    '),
    sample: isOfDays ? sample(MONTH, MONTH) : sample(0, 0),
    groups: grouped,
  });
  // The hours of an amount of several hours are in no group but those of the calendar, and have no report that meets a condition.
  const hasWindows = isOfDays && condition === undefined;
  const about = [condition ?? 'true', ...(isOfDays ? [] : groups.map(({ sql }) => sql))];
  const gaugeReports = fillSql(GAUGE_REPORTS, {
    ...localTimes(local, OBSERVED),
    hundredths: hundredthsSql('pcp1h_in'),
    about: about.join(', '),
    day: `toInt64(intDiv(${NOMINAL_HOUR}, 24))`,
    sample: sample(2 * DAY, DAY + HOUR),
  });
  const windows = fillSql(WINDOWS, {
    hundredths6: hundredthsSql('pcp6h_in'),
    hundredths24: hundredthsSql('pcp24h_in'),
    sample: sample(2 * DAY, DAY + HOUR),
  });
  const added = fillSql(ADDED, {
    gaugeHours: fillSql(HOURS_OF_GAUGES, {
      reports: gaugeReports,
      resetOfKnown: lastReset('report.3', 'report.1'),
      resetOfState: lastReset('state.1', 'report.1'),
    }),
    windows: hasWindows ? windows : '',
  });
  const points = fillSql(POINTS, {
    from,
    to,
    columns: [
      '*',
      ...names.map((name, at) => `${isOfDays ? groups[at]?.sql : `about.${at + 2}`} AS ${name}`),
    ].join(',\n    '),
    local: local.sql('point'),
    localBegin: local.sql('begin'),
    localEnd: local.sql('(end - 1)'),
    added,
  });
  const amounts = fillSql(AMOUNTS, {
    station,
    columns: row(names, {
      _total: 'sum(if(isWhole, added, NULL))',
      _ofMonth: 'sum(if(isWhole OR isInMonth AND isLast, added, NULL))',
      _ofGauge: 'sum(if(hours = 1, added, NULL))',
      ...(isOfOneDay && { _isUnknown: IS_UNKNOWN }),
    }).join(',\n    '),
    points,
    keys: ['station', ...names].join(', '),
    groups: grouped,
  });
  return `${gauges}UNION ALL\n${amounts}`;
}

/** SQL: the last reset of a gauge whose reset of a time is known: whole hours after it. */
function lastReset(known: string, time: string): string {
  return `(${known} + intDiv(greatest(${time} - ${known} - 1, 0), ${HOUR}) * ${HOUR})`;
}

function hundredthsSql(field: string): string {
  return `toInt64(round(${valueSql(field)} * 100))`;
}
