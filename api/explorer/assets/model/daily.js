import { useMemo } from 'htm/preact/standalone';
import { parseAddress } from './address.js';
import { useAnswers } from './answers.js';
import { toDay } from './days.js';
import { dailyValues, stationDescription, wholeRecord } from './requests.js';

/** @import { Daily, Entry, EntryRecord, Station } from '../declarations.ts' */

/**
 * The period of each entry's whole record. If there is none, the answer says of its station why.
 * @param {readonly Entry[]} entries
 * @param {Station} main
 * @returns {readonly EntryRecord[]}
 */
export function useRecords(entries, main) {
  const described = useAnswers(
    entries.map(({ station }) => (station === main.station ? undefined : stationDescription(station))),
  );
  return entries.map((entry, at) => {
    const station = entry.station === main.station ? main : described[at]?.data?.[0];
    return { entry, period: wholeRecord(station), answer: described[at] };
  });
}

/**
 * The daily values of whole records: one request per station, whichever years are shown.
 * @param {readonly EntryRecord[]} records
 * @param {boolean} [isWanted]
 * @param {typeof dailyValues} [askOf] those of months are the other
 * @returns {readonly Daily[]}
 */
export function useDaily(records, isWanted = true, askOf = dailyValues) {
  const asks = records.map(({ period }) => period && askOf(period));
  const answers = useAnswers(asks.map((ask) => (isWanted ? ask : undefined)));
  const rows = answers.map(({ data = [] }) => data);
  const { units } = parseAddress(location.search);
  const days = useMemo(() => rows.map((each) => each.map(toDay)), [...rows, units.join()]);
  return records.map(({ entry, period, answer }, at) => ({
    entry,
    period,
    ask: asks[at],
    answer: period === undefined ? answer : answers[at],
    points: days[at] ?? [],
  }));
}
