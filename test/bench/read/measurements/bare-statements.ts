import { DECODED_OBJECT } from '../../decoded-object.ts';
import type { Query } from '../queries.ts';
import type { Expected } from './expected.ts';

/** Candidates for the coverage of a query: two ways to combine the rows of one station and year. */
export function coverageStatements({ filters }: Query): readonly string[] {
  const [first, last] = [new Date(filters.from * 1000), new Date(filters.to * 1000 - 1)].map((date) =>
    date.getUTCFullYear(),
  );
  const where = `${stationCondition(filters.stations)} AND year BETWEEN ${first} AND ${last}`;
  const candidates = [
    `SELECT station, year, bitmapCardinality(groupBitmapMergeState(days)) AS done FROM coverage WHERE ${where} GROUP BY station, year`,
    `SELECT station, year, finalizeAggregation(days) AS done FROM coverage FINAL WHERE ${where}`,
  ];
  return candidates.map(
    (years) => `SELECT station, countIf(done = toDayOfYear(makeDate(year, 12, 31)))
FROM (${years})
GROUP BY station
FORMAT TSV`,
  );
}

/** Candidates for the page of a query: for one station the order of the projection is tried too. */
export function pageStatements({ filters, limit }: Query, { first, last }: Expected): readonly string[] {
  const { stations, include, type } = filters;
  const from = first ?? new Date(filters.from * 1000).toISOString();
  const to = last ?? new Date(filters.to * 1000).toISOString();
  const status = include.includes('decoded') ? "if(clean, 'parsed', 'failed')" : "'raw_only'";
  const columns = include.map((name) => (name === 'decoded' ? `${DECODED_OBJECT} AS decoded` : name));
  const time = (text: string) => `toDateTime('${text.slice(0, 19).replace('T', ' ')}', 'UTC')`;
  const where = [
    stationCondition(stations),
    `observedAt BETWEEN ${time(from)} AND ${time(to)}`,
    ...(type === 'all' ? [] : [`type = '${type.toUpperCase()}'`]),
  ].join(' AND ');
  const statement = (order: string) => `SELECT
    concat(station, '-', formatDateTime(observedAt, '%Y%m%d%H%i'), '-', leftPad(lower(hex(fingerprint)), 8, '0')) AS id,
    station, observedAt, type, ${status} AS parseStatus, ${columns.join(', ')}
FROM observations
WHERE ${where}
ORDER BY ${order}
LIMIT ${limit}
FORMAT JSONEachRow`;
  const byStation = stations.length === 1 ? ['station, observedAt, type, fingerprint'] : [];
  return ['observedAt, station, type, fingerprint', ...byStation].map(statement);
}

function stationCondition(stations: readonly string[]): string {
  const list = stations.map((station) => `'${station}'`).join(',');
  return stations.length === 1 ? `station = ${list}` : `station IN (${list})`;
}
