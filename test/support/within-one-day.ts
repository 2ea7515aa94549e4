import { type Day, dayOf } from '../../clickhouse/model/day.ts';

const currentDay = () => dayOf(Date.now() / 1000);

/**
 * The result of an action that depends on the day (UTC). Where midnight comes while it runs, what it compares can belong to
 * two days: then it is run again.
 */
export async function withinOneDay<T>(action: (today: Day) => Promise<T>): Promise<T> {
  const today = currentDay();
  const [result] = await Promise.allSettled([action(today)]);
  if (currentDay() !== today) return withinOneDay(action);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
