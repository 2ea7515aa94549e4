import { hash } from './demo-hash.ts';
import type { DemoStation } from './demo-stations.ts';

const WEEK = 7 * 86_400;
const LONGEST_OUTAGE = 4 * 86_400;

/** Whether a station sends its reports at this time: stations close at night, and fail for some hours or days. */
export function isReporting(stationIndex: number, station: DemoStation, seconds: number): boolean {
  const { hours, outageShare } = station;
  const hour = Math.floor(seconds / 3600) % 24;
  if (hours !== undefined && (hour < hours[0] || hour > hours[1])) return false;
  const week = Math.floor(seconds / WEEK);
  if (hash(stationIndex, week, 19) >= outageShare) return true;
  // The square makes short outages frequent and long ones rare. No outage reaches into the next week.
  const length = hash(stationIndex, week, 20);
  const duration = 2 * 3600 + LONGEST_OUTAGE * length * length;
  const start = week * WEEK + (WEEK - duration) * hash(stationIndex, week, 21);
  return seconds < start || seconds >= start + duration;
}
