import { ICAO_CODE } from '../../../clickhouse/model/report.ts';

/** The group `ddhhmmZ` with an existing day and time. The `Z` is missing in a few hundred of a million reports. */
const DAY_TIME = /^(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)(Z?)$/;
const SECONDS_PER_DAY = 86_400;
/** Keyword, correction and station come before the time; a military header has a few groups more. */
const MAX_HEADER_GROUPS = 7;

/** The start of nearly every report: its station, then the time group. */
const USUAL_START = /^(?:METAR |SPECI )?[A-Z][A-Z0-9]{3} (0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)Z /;

type DayTime = { readonly day: number; readonly hour: number; readonly minute: number };

/** The `ddhhmmZ` group of a report; `undefined` if it has no readable one. */
export function dayTimeOf(raw: string): DayTime | undefined {
  const match = USUAL_START.exec(raw) ?? searchHeader(raw);
  return match ? { day: Number(match[1]), hour: Number(match[2]), minute: Number(match[3]) } : undefined;
}

function searchHeader(raw: string): RegExpExecArray | null | undefined {
  const groups = raw.split(' ', MAX_HEADER_GROUPS);
  return (
    groups.map((group) => DAY_TIME.exec(group)).find((match) => match?.[4] === 'Z') ??
    DAY_TIME.exec(groups[groups.findIndex(isStation) + 1] ?? '')
  );
}

/**
 * The observation time: the day and time of the report, at the date nearest to the source's time if that is within one
 * day, else the source's time. The times of bulletins are wrong more often than those of reports (1.2 % of
 * Ogimet's), but a wrong day of the month must not move a report by weeks.
 *
 * @param filedAt the source's time, seconds since 1970-01-01T00:00:00Z
 * @returns seconds since 1970-01-01T00:00:00Z, a whole minute
 */
export function observationTime(dayTime: DayTime | undefined, filedAt: number): number {
  const filedMinute = filedAt - (filedAt % 60);
  if (dayTime === undefined) return filedMinute;
  const filed = new Date(filedMinute * 1000);
  if (dayTime.day === filed.getUTCDate() && dayTime.hour * 60 + dayTime.minute === (filedMinute / 60) % 1440)
    return filedMinute;
  let nearest = filedMinute;
  let distance = SECONDS_PER_DAY + 1;
  for (const months of [-1, 0, 1]) {
    const candidate = timeIn(filed.getUTCFullYear(), filed.getUTCMonth() + months, dayTime);
    if (candidate !== undefined && Math.abs(candidate - filedMinute) < distance) {
      nearest = candidate;
      distance = Math.abs(candidate - filedMinute);
    }
  }
  return nearest;
}

/** `undefined` if the month has no such day. */
function timeIn(year: number, month: number, { day, hour, minute }: DayTime): number | undefined {
  const date = new Date(Date.UTC(year, month, day, hour, minute));
  return date.getUTCDate() === day ? date.getTime() / 1000 : undefined;
}

function isStation(group: string): boolean {
  return ICAO_CODE.test(group) && group !== 'AUTO';
}
