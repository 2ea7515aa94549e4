import { setImmediate as turn } from 'node:timers/promises';
import type { Archive, StatementSettings } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import { selectRows, streamLines } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { ABSENT, orderedNumber, valueSql } from './column.ts';
import { OBSERVED, windOrderSql } from './order.ts';
import { allOf, groupNames, localTimes, type PeriodSource, placeOf } from './period-source.ts';

const PEAKS = readStatement('periods/peaks');
const REPORTS = readStatement('periods/extreme_reports');
const TEMPERATURES = readStatement('periods/temperatures_of_hours');

/** SQL over a report: whether it has an extreme of six or 24 hours. */
export const HAS_EXTREMES =
  '(maxt6_c IS NOT NULL OR mint6_c IS NOT NULL OR maxt24_c IS NOT NULL OR mint24_c IS NOT NULL)';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** The time of a peak wind, from `hhmm` as a number: to cut the text in two takes seven times as long. */
const PEAK_TIME = (() => {
  const clock = `toUInt32(toUInt16OrNull(${valueSql('pk_time')}))`;
  const minutes = `intDiv(${clock}, 100) * 60 + ${clock} % 100`;
  return `${OBSERVED} - (1440 + intDiv(${OBSERVED}, 60) % 1440 - (${minutes})) % 1440 * 60`;
})();

/** Reads peak winds, as tab-separated rows by groups: those of the calendar are of the wind, others of its report. */
export async function readPeaks(
  archive: Archive,
  source: PeriodSource,
  onlyFirst: boolean,
  settings: StatementSettings,
): Promise<readonly string[]> {
  const { station, sample, condition, local, inRange, groups, params, stations } = source;
  const query = fillSql(PEAKS, {
    time: PEAK_TIME,
    ...localTimes(local, 'time'),
    station,
    columns: [
      ...groups.map(({ sql }, at) => `${sql} AS _group${at}`),
      `max(${windOrderSql(valueSql('pk_wspd_kt'), 'time')})`,
    ].join(',\n    '),
    sample: sample(0, DAY),
    counted: allOf(inRange('time'), condition, onlyFirst && "counts = 'hour'"),
    groups: ['_station', ...groupNames(groups)].join(', '),
  });
  const select = { query, params, ofStations: stations.length > 1, settings };
  const text = (await archive.select(select)).toString('latin1').trimEnd();
  return text === '' ? [] : text.split('\n');
}

/** °C by which an extreme of 24 hours may pass all else that is known of its hours. */
const TOLERANCE = 2;

type ExtremeReport = {
  readonly station: number;
  readonly time: number;
  /** The whole hour at which its six or 24 hours end, counted from 1970-01-01T00:00:00Z. */
  readonly end: number;
  /** The greatest and the least temperature of six hours, and of 24. */
  readonly six: Extremes;
  readonly day: Extremes;
  readonly counts: boolean;
  readonly group: string;
};
type Extremes = readonly [max: number | undefined, min: number | undefined];

/** Hours of a station. */
type StationHour = readonly [station: number, hour: number];

/**
 * Reads extremes of six and of 24 hours, as tab-separated rows by groups: on the days in which these hours lie, and those of
 * 24 hours as far as the rest of their hours bears them out (D60).
 */
export async function readExtremes(
  archive: Archive,
  source: PeriodSource,
  onlyFirst: boolean,
  settings: StatementSettings,
): Promise<readonly string[]> {
  const { stations } = source;
  const byStation = groupBy(
    await readReports(archive, source, onlyFirst, settings),
    ({ station }) => station,
  );
  const judged = [...byStation].flatMap(([station, reports]) => {
    const place = placeOf(source, stations[station] as string);
    const isWithin = ({ time, end }: ExtremeReport, hours: number) =>
      place.dayAt((end - hours) * HOUR) === place.dayAt(time);
    return reports
      .map((report, at) => ({ report, at }))
      .filter(({ report: { time, counts } }) => counts && time >= place.from && time < place.to)
      .map(({ report, at }) => ({
        report,
        group: place.groupAt?.(report.time) ?? report.group,
        six: isWithin(report, 6) ? report.six : NONE,
        day: isWithin(report, 24) ? report.day : NONE,
        touching: touchingOf(report, at, reports),
      }));
  });
  // Most are borne out by extremes of six hours. Of the others the temperatures of hours without these are read.
  const doubtful = judged.filter(({ day, touching }) =>
    [0, 1].some((of) => isDoubtful(of as 0 | 1, day[of], touching)),
  );
  const hours = doubtful.flatMap(({ report, touching }) =>
    uncoveredHours(report, touching).map((hour): StationHour => [report.station, hour]),
  );
  const temperatures = await readTemperatures(archive, source, hours, settings);
  return judged.flatMap(({ report, group, six, day, touching }) => {
    const [max, min] = ([0, 1] as const).map((of) => {
      const value = day[of];
      const known = [
        ...touching.flatMap((each) => each.six[of] ?? []),
        ...uncoveredHours(report, touching, of).flatMap(
          (hour) => temperatures.get(`${report.station} ${hour}`)?.[of] ?? [],
        ),
      ];
      const isBorneOut = value !== undefined && known.some((bound) => isNear(of, value, bound));
      const values = [six[of] ?? [], isBorneOut ? value : []].flat();
      return values.length === 0 ? ABSENT : String(of === 0 ? Math.max(...values) : Math.min(...values));
    });
    if (max === ABSENT && min === ABSENT) return [];
    return [[report.station, ...(source.groups.length === 0 ? [] : [group]), max, min].join('\t')];
  });
}

const NONE: Extremes = [undefined, undefined];

/** The reports whose six hours touch the 24 hours of a report, which are in the order of their times. */
function touchingOf(
  report: ExtremeReport,
  at: number,
  all: readonly ExtremeReport[],
): readonly ExtremeReport[] {
  if (report.day.every((value) => value === undefined)) return [];
  const touches = ({ end }: ExtremeReport) => end >= report.end - 23 && end <= report.end + 5;
  // No more than two an hour.
  return all.slice(Math.max(0, at - 48), at + 12).filter(touches);
}

/** In tenths, as reports give them. */
function isNear(of: 0 | 1, value: number, bound: number): boolean {
  return Math.round((of === 0 ? value - bound : bound - value) * 10) <= TOLERANCE * 10;
}

function isDoubtful(of: 0 | 1, value: number | undefined, touching: readonly ExtremeReport[]): boolean {
  if (value === undefined) return false;
  return !touching.some(({ six }) => six[of] !== undefined && isNear(of, value, six[of]));
}

/** The hours of the 24 hours that no known extreme of six hours covers; without `of`, neither the greatest nor the least. */
function uncoveredHours(
  { end }: ExtremeReport,
  touching: readonly ExtremeReport[],
  of?: 0 | 1,
): readonly number[] {
  const isCovered = (hour: number, which: 0 | 1) =>
    touching.some((each) => each.six[which] !== undefined && hour > each.end - 6 && hour <= each.end);
  return Array.from({ length: 24 }, (_, n) => end - 23 + n).filter((hour) =>
    of === undefined ? !isCovered(hour, 0) || !isCovered(hour, 1) : !isCovered(hour, of),
  );
}

async function readReports(
  archive: Archive,
  source: PeriodSource,
  onlyFirst: boolean,
  settings: StatementSettings,
): Promise<readonly ExtremeReport[]> {
  const { station, stations, condition, local, groups, isOfDays, params } = source;
  const query = fillSql(REPORTS, {
    ...localTimes(local, OBSERVED),
    station,
    columns: [
      OBSERVED,
      ...['maxt6_c', 'mint6_c', 'maxt24_c', 'mint24_c'].map(comparedSql),
      `ifNull(${allOf(condition, onlyFirst && 'isFirst') || '1'}, 0)`,
      ...(isOfDays ? [] : groups.map(({ sql }) => sql)),
    ].join(',\n    '),
    sample: source.sample(30 * HOUR, 6 * HOUR),
    hasExtremes: HAS_EXTREMES,
  });
  const reports: ExtremeReport[] = [];
  const numberOf = (text = ABSENT) => (text === ABSENT ? undefined : Number(text));
  for await (const lines of streamLines(archive, {
    query,
    params,
    ofStations: stations.length > 1,
    settings,
  })) {
    for (const line of lines.toString('latin1').trimEnd().split('\n')) {
      const [number, at, max6, min6, max24, min24, counts, ...group] = line.split('\t');
      const time = Number(at);
      reports.push({
        station: Number(number),
        time,
        end: Math.floor((time + HOUR / 2) / HOUR),
        six: [numberOf(max6), numberOf(min6)],
        day: [numberOf(max24), numberOf(min24)],
        counts: counts === '1',
        group: group.join('\t'),
      });
    }
    await turn();
  }
  return reports;
}

async function readTemperatures(
  archive: Archive,
  source: PeriodSource,
  hours: readonly StationHour[],
  settings: StatementSettings,
): Promise<ReadonlyMap<string, Extremes>> {
  if (hours.length === 0) return new Map();
  const { station, stations, params } = source;
  const query = fillSql(TEMPERATURES, {
    station,
    temp: comparedSql('temp_c'),
    sample: source.sample(30 * HOUR, 6 * HOUR),
  });
  const rows = await selectRows<[station: number, hour: number, max: number, min: number]>(
    archive,
    {
      query,
      params,
      ofStations: stations.length > 1,
      settings,
      file: {
        name: 'hours',
        format: 'TSV',
        structure: '_station UInt16, hour UInt32',
        bytes: Buffer.from(`${hours.map((each) => each.join('\t')).join('\n')}\n`),
      },
    },
    'array',
  );
  return new Map(rows.map(([number, hour, max, min]) => [`${number} ${hour}`, [max, min]]));
}

function comparedSql(field: string): string {
  return orderedNumber(field, valueSql(field));
}
