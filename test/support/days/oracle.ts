import type { Report } from '../../../clickhouse/model/report.ts';
import { valueOfField } from '../conditions/judge.ts';
import { numberIn, numberOf, resultantByDefinition } from '../statistics/numbers.ts';
import { countedReports, nominalHour } from '../statistics/sample.ts';
import { amountsOf, givesAmount, hasWorkingGauge, totalOf } from './amounts.ts';
import { hoursOf, temperatures, winds } from './extremes.ts';

/** The days of one station by the definitions of the guide, report by report (D54, D58 to D61, D78, D80). */

export type DayRow = Readonly<Record<string, number | undefined>>;

const HOUR = 3600;
/** Hours that may be missing one after the other: a report of each main synoptic hour is enough. */
const MOST_MISSING = 6;
const FLAGS = ['fog', 'thunder', 'snow', 'rain', 'freezing', 'hail'];
const MEANS = ['temp_c', 'dewp_c', 'rh_pct', 'wspd_kt', 'slp_hpa'];

/**
 * @param all reports of the station
 * @param dateOf the local date of a time
 * @returns the values of a date; those that the oracle does not know are left out
 */
export function daysByDefinition(
  all: readonly Report[],
  dateOf: (time: number) => string,
): (date: string) => DayRow {
  const counted = countedReports(all);
  const readable = counted.filter(({ report }) => report.clean);
  const unreadable = counted.flatMap(({ report }) => (report.clean ? [] : [report]));
  const reports = readable.map(({ report }) => report);
  const wholeDays = (isKnown: (report: Report) => boolean) =>
    completeDays(
      readable.flatMap(({ report, isFirst }) => (isFirst && isKnown(report) ? [report.observedAt] : [])),
      dateOf,
    );
  const isWhole = wholeDays(() => true);
  const knows = Object.fromEntries(
    [...MEANS, 'visib_m', ...FLAGS].map((field) => [
      field,
      wholeDays((report) => valueOfField(field, report) !== undefined),
    ]),
  );
  const extremes = { max: temperatures(reports, 'max'), min: temperatures(reports, 'min') };
  // METARs that cannot be read count where the gauge is reset.
  const amounts = amountsOf(counted.map(({ report }) => report));
  const isRepaired = (time: number) =>
    [...amounts.sixHours, ...amounts.days].some(({ begin, end }) => time > begin && time <= end);
  const gusts = winds(reports);
  return (date) => {
    const isOn = ({ observedAt }: Report) => dateOf(observedAt) === date;
    const ofDay = readable.filter(({ report }) => isOn(report));
    const own = ofDay.map(({ report }) => report);
    const sample = ofDay.flatMap(({ report, isFirst }) => (isFirst ? [report] : []));
    const whole = isWhole(date);
    const numbers = (field: string, of: readonly Report[]) =>
      of.flatMap((report) => numberIn(report, field) ?? []);
    const ifKnown = (field: string, value: number | undefined) => (knows[field]?.(date) ? value : undefined);
    const extreme = (of: 'max' | 'min') => {
      const values = extremes[of].flatMap((each) => {
        const { begin, end } = hoursOf(each);
        return dateOf(begin) === date && dateOf(end - 1) === date ? [each.value] : [];
      });
      const value = ifKnown('temp_c', numberOf(of, values));
      return value === -0.05 ? -0 : value;
    };
    const flag = (name: string) => {
      const judged = own.flatMap((report) => {
        const truth = valueOfField(name, report);
        return typeof truth === 'boolean' ? [{ truth, hour: nominalHour(report.observedAt) }] : [];
      });
      const hours = new Set(judged.flatMap(({ truth, hour }) => (truth ? [hour] : []))).size;
      if (hours > 0) return hours;
      const isNamed = unreadable.some((report) => isOn(report) && valueOfField(name, asNamed(report)));
      return judged.length === 0 || !knows[name]?.(date) || isNamed ? undefined : 0;
    };
    const seen = (name: string) => {
      const hours = flag(name);
      return hours && 1;
    };
    const isUnread = unreadable.some(
      (report) => isOn(report) && report.decoded.pcp1h_in !== undefined && !isRepaired(report.observedAt),
    );
    const total = totalOf({
      reports: own,
      unreadable: unreadable.filter(isOn).map(asNamed),
      hours: amounts.hours.filter(({ time }) => dateOf(time) === date),
      ...windowsOf([...amounts.threeHours, ...amounts.sixHours, ...amounts.days], date, dateOf),
      isMeasured:
        (own.some(hasWorkingGauge) || knows.rain?.(date) === true) &&
        reports.some(
          (report) =>
            dateOf(report.observedAt).slice(0, 7) === date.slice(0, 7) &&
            (givesAmount(report) || hasWorkingGauge(report)),
        ),
    });
    return {
      n: counted.filter(({ report, isFirst }) => isFirst && isOn(report)).length,
      ...Object.fromEntries(
        MEANS.map((field) => [
          `mean_${field}`,
          ifKnown(
            field,
            numberOf(
              'mean',
              numbers(field, sample).map((value) => (value === -0.05 ? 0 : value)),
            ),
          ),
        ]),
      ),
      min_temp_c: extreme('min'),
      max_temp_c: extreme('max'),
      max_wspd_kt: ifKnown('wspd_kt', numberOf('max', numbers('wspd_kt', own))),
      min_slp_hpa: ifKnown('slp_hpa', numberOf('min', numbers('slp_hpa', own))),
      max_slp_hpa: ifKnown('slp_hpa', numberOf('max', numbers('slp_hpa', own))),
      min_visib_m: ifKnown('visib_m', numberOf('min', numbers('visib_m', own))),
      max_gust_kt: ifKnown(
        'wspd_kt',
        numberOf(
          'max',
          gusts.filter(({ time }) => dateOf(time) === date).map(({ value }) => value),
        ),
      ),
      resultant_wdir: ifKnown('wspd_kt', resultantByDefinition('direction', sample)),
      resultant_wspd_kt: ifKnown('wspd_kt', resultantByDefinition('speed', sample)),
      resultant_n: ifKnown('wspd_kt', resultantByDefinition('variable', sample)),
      precip_in: isUnread || (total === 0 && (!whole || own.length === 0)) ? undefined : total,
      fog_hours: flag('fog'),
      thunder_hours: flag('thunder'),
      ...Object.fromEntries(FLAGS.map((name) => [name, seen(name)])),
    };
  };
}

/** An unreadable report with the weather that its text names. */
function asNamed(report: Report): Report {
  const { wx } = report.decoded;
  return { ...report, clean: true, decoded: { cavok: false, ...(wx === undefined ? {} : { wx }) } };
}

/** The amounts of six and 24 hours that lie in a day, and those with only some hours in it. */
function windowsOf(
  all: ReturnType<typeof amountsOf>['days'],
  date: string,
  dateOf: (time: number) => string,
) {
  const touches = all.map((window) => ({
    window,
    isInside: Array.from({ length: (window.end - window.begin) / HOUR }, (_, n) => window.begin + n * HOUR)
      .flatMap((hour) => [hour, hour + HOUR - 1])
      .map((time) => dateOf(time) === date),
  }));
  return {
    windows: touches.filter(({ isInside }) => !isInside.includes(false)).map(({ window }) => window),
    cut: touches
      .filter(({ isInside }) => isInside.includes(true) && isInside.includes(false))
      .map(({ window }) => window),
  };
}

/**
 * Days with enough reports for means and extremes (D59). A run of missing hours lasts from an hour after the report
 * before it to an hour before the report after it: between reports of 19:51 and 5:51 from 20:51 to 4:51, nine hours, and it
 * counts on both days.
 *
 * @param sample observation times of the hourly sample of one station, in order, of all the time
 * @param dateOf the local date of a time, such as `2024-01-31`
 * @returns whether no run of more than six hours has a part on a date
 */
function completeDays(
  sample: readonly number[],
  dateOf: (time: number) => string,
): (date: string) => boolean {
  const runs = [undefined, ...sample].flatMap((before, n) => {
    const after = sample[n];
    const isShort =
      before !== undefined &&
      after !== undefined &&
      nominalHour(after) - nominalHour(before) - 1 <= MOST_MISSING;
    if (isShort) return [];
    return [
      {
        first: before === undefined ? '' : dateOf(before + HOUR),
        last: after === undefined ? '9999' : dateOf(after - HOUR),
      },
    ];
  });
  return (date) => !runs.some(({ first, last }) => first <= date && date <= last);
}
