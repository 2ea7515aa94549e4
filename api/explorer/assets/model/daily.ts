import { useMemo } from 'htm/preact/standalone';
import type { EntryRecord } from '../views/station.ts';
import { parseAddress } from './address.ts';
import { useAnswers } from './answers.ts';
import { toDay } from './days.ts';
import { dailyValues } from './requests.ts';

export type Daily = ReturnType<typeof useDaily>[number];

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
