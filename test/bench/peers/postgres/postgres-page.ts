import type { Client } from 'pg';
import type { Query } from '../../read/queries.ts';
import { type Row, recordOf } from '../peer.ts';

/** Every value as the text that the server sends: nothing is parsed that is only printed again. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

export type Form = 'all stations at once' | 'station by station';
type Statement = { readonly text: string; readonly values: unknown[] };

/** Each page through the driver. */
export function pageReader(client: Client): (query: Query) => Promise<readonly string[]> {
  return fasterForm(async (query, form) => {
    const { rows } = await client.query<string[]>({
      ...statementOf(query, form, columnsOf(query), query.limit + 1),
      rowMode: 'array',
      types: AS_TEXT,
    });
    return rows.slice(0, query.limit).map((row) => recordOf(rowOf(query, row)));
  });
}

/** There are two ways to write the statement. The faster one is chosen for each query. */
export function fasterForm<T>(read: (query: Query, form: Form) => Promise<T>): (query: Query) => Promise<T> {
  const chosen = new Map<string, Form>();
  const timeOf = async (query: Query, form: Form) => {
    await read(query, form);
    const started = performance.now();
    await read(query, form);
    return performance.now() - started;
  };
  const choose = async (query: Query): Promise<Form> => {
    const atOnce = await timeOf(query, 'all stations at once');
    return (await timeOf(query, 'station by station')) < atOnce
      ? 'station by station'
      : 'all stations at once';
  };
  return async (query) => {
    const form = chosen.get(query.name) ?? (await choose(query));
    chosen.set(query.name, form);
    return read(query, form);
  };
}

function columnsOf({ filters: { include } }: Query): string {
  const time = `to_char(observed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  return ['station', time, 'type', 'fingerprint', 'clean', ...inColumnOrder(include)].join(', ');
}

/** @param columns of each row, and at most so many rows */
export function statementOf({ filters, after }: Query, form: Form, columns: string, rows: number): Statement {
  const { type, stations } = filters;
  const values: unknown[] = [stations, new Date(filters.from * 1000), new Date(filters.to * 1000), rows];
  const conditions = [
    'observed_at >= $2 AND observed_at < $3',
    ...(type === 'all' ? [] : [`type = '${type.toUpperCase()}'`]),
  ];
  if (after) {
    values.push(new Date(after.observedAt * 1000), after.station, after.type, after.fingerprint);
    conditions.push('observed_at >= $5 AND (observed_at, station, type, fingerprint) > ($5, $6, $7, $8)');
  }
  const where = conditions.join(' AND ');
  const order = 'ORDER BY observed_at, station, type, fingerprint LIMIT $4';
  if (form === 'all stations at once') {
    const station = stations.length === 1 ? 'station = ($1::text[])[1]' : 'station = ANY($1::text[])';
    return { text: `SELECT ${columns} FROM observations WHERE ${station} AND ${where} ${order}`, values };
  }
  return {
    text: `SELECT ${columns} FROM unnest($1::text[]) AS requested(code) CROSS JOIN LATERAL
      (SELECT * FROM observations WHERE station = code AND ${where} ${order}) AS found ${order}`,
    values,
  };
}

function rowOf({ filters }: Query, values: readonly string[]): Row {
  const [station = '', observedAt = '', type = '', fingerprint = '', clean, ...rest] = values;
  const included = inColumnOrder(filters.include);
  const valueFor = (name: 'raw' | 'decoded') =>
    included.includes(name) ? rest[included.indexOf(name)] : undefined;
  return {
    station,
    observedAt,
    type,
    fingerprint,
    clean: clean === 't',
    raw: valueFor('raw'),
    decoded: valueFor('decoded'),
  };
}

function inColumnOrder(include: Query['filters']['include']): readonly ('raw' | 'decoded')[] {
  return (['raw', 'decoded'] as const).filter((name) => include.includes(name));
}
