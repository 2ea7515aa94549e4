import { ICAO_CODE } from '../../clickhouse/model/report.ts';

/** ddhhmm of a day that can exist at a time that can exist; the `Z` is missing in a few hundred reports a million. */
const DAY_TIME = /^(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)(Z?)$/;
const SECONDS_PER_DAY = 86_400;
/** Keyword, correction and station stand before the time, and a military header a little more. */
const HEAD_TOKENS = 7;

/** How nearly every report begins: its station, then such a group. */
const HEAD = /^(?:METAR |SPECI )?[A-Z][A-Z0-9]{3} (0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)Z /;

/** The report's own `ddhhmmZ` group, or `undefined` when it has none that can be read. */
export function ownDayTime(raw: string): DayTime | undefined {
  const found = HEAD.exec(raw) ?? searchedFor(raw);
  return found ? { day: Number(found[1]), hour: Number(found[2]), minute: Number(found[3]) } : undefined;
}

function searchedFor(raw: string): RegExpExecArray | null | undefined {
  const head = raw.split(' ', HEAD_TOKENS);
  return (
    head.map((token) => DAY_TIME.exec(token)).find((match) => match?.[4] === 'Z') ??
    DAY_TIME.exec(head[head.findIndex(isStation) + 1] ?? '')
  );
}

export type DayTime = { readonly day: number; readonly hour: number; readonly minute: number };

/**
 * When the report was observed: its own time of day and month, at the date nearest to where the source filed it,
 * when that is within a day; else the source's time. Slots of bulletins are wrong more often than reports are
 * (1.2 % of Ogimet's), but a day of the month typed wrong must not move a report by weeks.
 *
 * @param filedAt the source's time, seconds since 1970-01-01T00:00:00Z
 * @returns seconds since 1970-01-01T00:00:00Z, a whole minute
 */
export function observedAt(own: DayTime | undefined, filedAt: number): number {
  const slot = filedAt - (filedAt % 60);
  if (own === undefined) return slot;
  const filed = new Date(slot * 1000);
  if (own.day === filed.getUTCDate() && own.hour * 60 + own.minute === (slot / 60) % 1440) return slot;
  let nearest = slot;
  let distance = SECONDS_PER_DAY + 1;
  for (const months of [-1, 0, 1]) {
    const candidate = at(filed.getUTCFullYear(), filed.getUTCMonth() + months, own);
    if (candidate !== undefined && Math.abs(candidate - slot) < distance) {
      nearest = candidate;
      distance = Math.abs(candidate - slot);
    }
  }
  return nearest;
}

/** `undefined` where the month has no such day. */
function at(year: number, month: number, { day, hour, minute }: DayTime): number | undefined {
  const date = new Date(Date.UTC(year, month, day, hour, minute));
  return date.getUTCDate() === day ? date.getTime() / 1000 : undefined;
}

function isStation(token: string): boolean {
  return ICAO_CODE.test(token) && token !== 'AUTO';
}
