import { DuckDBInstance } from '@duckdb/node-api';
import type { Query } from '../../read/queries.ts';
import { statementOf } from './duckdb-page.ts';

const CONNECTIONS = 4;

/** The JSON text of each page, made by DuckDB. */
export async function duckdbPages(file: string): Promise<(query: Query) => Promise<string>> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '6GB' });
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()));
  for (const connection of connections) await connection.run("SET TimeZone = 'UTC'");
  let next = 0;
  return async (query) => {
    const page = statementOf(file, query, `${recordOf(query)} AS record`, query.limit);
    const reader = await connections[next++ % CONNECTIONS]?.runAndReadAll(
      `SELECT '{"data":[' || coalesce(string_agg(record, ','), '') || ']}' FROM (${page})`,
    );
    return String(reader?.getRows()[0]?.[0]);
  };
}

/** The record as this service prints it. */
function recordOf({ filters: { include } }: Query): string {
  const status = include.includes('decoded')
    ? "CASE WHEN clean THEN 'parsed' ELSE 'failed' END"
    : "'raw_only'";
  const parts = [
    `'{"id":"', station, '-', strftime(observed_at, '%Y%m%d%H%M'), '-', fingerprint`,
    `'","station":"', station, '","observedAt":"', strftime(observed_at, '%Y-%m-%dT%H:%M:%SZ')`,
    `'","type":"', type, '","parseStatus":"', ${status}, '"'`,
    ...(include.includes('raw') ? [`',"raw":', to_json(raw)`] : []),
    ...(include.includes('decoded') ? [`CASE WHEN clean THEN ',"decoded":' || decoded ELSE '' END`] : []),
    `'}'`,
  ];
  return `concat(${parts.join(', ')})`;
}
