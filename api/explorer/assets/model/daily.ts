import { useMemo } from 'htm/preact/standalone';
import { type Entry, parseAddress, type View } from './address.ts';
import { useAnswers } from './answers.ts';
import { toDay } from './reports.ts';
import { type Coverage, dailyValues, type Station, stationDescription, wholeRecord } from './requests.ts';

/** A view with the coverage of its station, and the record of each of its entries. */
export type StationView = View & {
  readonly coverage: Coverage | undefined;
  readonly records: readonly EntryRecord[];
};
export type EntryRecord = ReturnType<typeof useRecords>[number];
export type Daily = ReturnType<typeof useDaily>[number];

/** The period of each entry's whole record. If there is none, the answer says of its station why. */
export function useRecords(entries: readonly Entry[], main: Station) {
  const described = useAnswers(
    entries.map(({ station }) => (station === main.station ? undefined : stationDescription(station))),
  );
  return entries.map((entry, at) => {
    const station = entry.station === main.station ? main : described[at]?.data?.[0];
    return { entry, period: wholeRecord(station), answer: described[at] };
  });
}

/** The daily or monthly values of whole records: one request per station, whichever years are shown. */
export function useDaily(records: readonly EntryRecord[], isWanted = true, askOf = dailyValues) {
  const asks = records.map(({ period }) => period && askOf(period));
  const answers = useAnswers(asks.map((ask) => (isWanted ? ask : undefined)));
  const rows = answers.map(({ data = [] }) => data);
  const { units } = parseAddress(location.search);
  const days = useMemo(() => rows.map((each) => each.map(toDay)), [...rows, units.join()]);
  return records.map(({ entry, period, answer: description }, at) => {
    const answer = period === undefined ? description : answers[at];
    return { entry, period, ask: asks[at], answer, points: days[at] ?? [] };
  });
}
