import type { Query } from '../../read/queries.ts';

/** @param columns of each row, and at most so many rows */
export function statementOf(file: string, { filters, after }: Query, columns: string, rows: number): string {
  const { type } = filters;
  const conditions = [
    ...rangeConditions(filters),
    ...(type === 'all' ? [] : [`type = '${type.toUpperCase()}'`]),
  ];
  if (after) {
    const afterTime = time(after.observedAt);
    const position = `(${afterTime}, '${after.station}', '${after.type}', '${after.fingerprint}')`;
    conditions.push(`observed_at >= ${afterTime}`);
    conditions.push(`(observed_at, station, type, fingerprint) > ${position}`);
  }
  return `SELECT ${columns}
    FROM '${file}'
    WHERE ${conditions.join(' AND ')}
    ORDER BY observed_at, station, type, fingerprint
    LIMIT ${rows}`;
}

export function rangeConditions({ stations, from, to }: Query['filters']): readonly string[] {
  const list = stations.map((station) => `'${station}'`).join();
  return [
    stations.length === 1 ? `station = ${list}` : `station IN (${list})`,
    `observed_at >= ${time(from)} AND observed_at < ${time(to)}`,
  ];
}

function time(seconds: number): string {
  return `TIMESTAMP '${new Date(seconds * 1000).toISOString().slice(0, 19)}'`;
}
