import pg from 'pg';
import type { Query } from '../../read/queries.ts';
import { type Form, fasterForm, statementOf } from './postgres-page.ts';

const CONNECTIONS = 8;

/** The JSON text of each page, made by PostgreSQL. */
export async function postgresPages(host: string): Promise<(query: Query) => Promise<string>> {
  const pool = new pg.Pool({ host, user: 'bench', database: 'postgres', max: CONNECTIONS });
  const read = async (query: Query, form: Form) => {
    const { text, values } = statementOf(query, form, `${recordOf(query)} AS record`, query.limit);
    const { rows } = await pool.query<[string]>({
      text: `SELECT '{"data":[' || coalesce(string_agg(record, ','), '') || ']}' FROM (${text}) AS page`,
      values,
      rowMode: 'array',
    });
    return rows[0]?.[0] ?? '';
  };
  return fasterForm(read);
}

/** The record as this service prints it. */
function recordOf({ filters: { include } }: Query): string {
  const status = include.includes('decoded')
    ? "CASE WHEN clean THEN 'parsed' ELSE 'failed' END"
    : "'raw_only'";
  const parts = [
    `'{"id":"' || station || '-' || to_char(observed_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MI') || '-' || fingerprint`,
    `'","station":"' || station || '","observedAt":"'`,
    `to_char(observed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
    `'","type":"' || type || '","parseStatus":"' || ${status} || '"'`,
    ...(include.includes('raw') ? [`',"raw":' || to_json(raw)::text`] : []),
    ...(include.includes('decoded')
      ? [`CASE WHEN clean THEN ',"decoded":' || decoded::text ELSE '' END`]
      : []),
    `'}'`,
  ];
  return parts.join(' || ');
}
