import type { Archive } from '../archive.ts';
import { type DayRange, numberOfDay, SECONDS_PER_DAY } from '../model/day.ts';
import { Pauses } from '../pauses.ts';
import { readServerTime } from '../server-time.ts';
import type { Clock } from '../zones/clocks.ts';
import { secondsAt } from '../zones/zone-offsets.ts';
import { computeDays, type StationMonths } from './compute-days.ts';
import { DayBlock } from './day-block.ts';
import { DAY_FIELDS, type DayField, type DaySource } from './fields.ts';
import { monthOfDay } from './local-month.ts';

/** The name of the file that is sent with a statement. */
const COMPUTED = 'computed_days';

/**
 * The days of stations in a range, up to the one that is not over in the time of the station; those without a report too.
 *
 * @param clocks standard time or UTC, of two months before the range to two days after it; each station belongs to one
 * @param fields those that the statement names; all if omitted
 * @throws the reason of the signal, which ends the work between months too
 */
export async function daySource(
  archive: Archive,
  asked: DayRange & { readonly clocks: readonly Clock[]; readonly fields?: readonly string[] },
  signal?: AbortSignal,
): Promise<DaySource> {
  const [firstDay, endDay] = [numberOfDay(asked.firstDay), numberOfDay(asked.endDay)];
  const until = Math.floor(await readServerTime(archive));
  const lastDays = new Map<string, number>();
  const months: StationMonths[] = [];
  for (const { stations, offsets } of asked.clocks) {
    const today = Math.floor((until + secondsAt(offsets, until)) / SECONDS_PER_DAY);
    const end = Math.min(endDay, today + 1);
    for (const station of stations) {
      lastDays.set(station, end);
      if (firstDay < end)
        months.push({ station, offsets, first: monthOfDay(firstDay), end: monthOfDay(end - 1) + 1 });
    }
  }
  const block = new DayBlock(fieldsNamed(asked.fields));
  const pauses = new Pauses(signal);
  for await (const { station, days } of computeDays(archive, months, until, pauses)) {
    const end = lastDays.get(station) as number;
    for (const [row, date] of days.date.entries())
      if (date >= firstDay && date < end) block.put({ station, days }, row);
  }
  const { structure } = block;
  return {
    from: COMPUTED,
    params: {},
    file: { name: COMPUTED, format: 'Native', structure, bytes: block.take() },
  };
}

function fieldsNamed(names: readonly string[] | undefined): readonly DayField[] {
  return names === undefined ? DAY_FIELDS : DAY_FIELDS.filter(({ name }) => names.includes(name));
}
