import type { Query } from '../read/queries.ts';

export type FreshRange = (name: string, station: string, limit?: number) => Query;

const [FROM, TO] = [Date.UTC(2005, 0) / 1000, Date.UTC(2026, 0) / 1000];
const MINUTE_SECONDS = 60;

/**
 * The 21 years of a station, each time from a minute later on. No two ranges are the same to the api, so nothing of a
 * page is in its memory, and each costs the same: reports come once an hour or every half hour.
 */
export function freshRanges(): FreshRange {
  let minutes = 0;
  return (name, station, limit = 1000) => {
    minutes += 1;
    const from = FROM + minutes * MINUTE_SECONDS;
    return { name, filters: { stations: [station], from, to: TO, type: 'all', include: ['raw'] }, limit };
  };
}
