import { FIELD_COLUMNS } from '../../../clickhouse/model/field-columns.ts';
import { DATABASE } from '../embedded-engine.ts';
import type { HttpClient } from '../http-client.ts';
import { sum } from '../statistics.ts';

/** Bytes per report. */
export type DiskUsage = {
  readonly reports: number;
  readonly total: number;
  /** By column of the table and of its projection, and by further table. */
  readonly shares: ReadonlyMap<string, number>;
};

const NAMES = [...FIELD_COLUMNS.keys()].map((name) => `'${name}'`).join(', ');
/** All decoded and derived fields count as one column. */
const COLUMN = `if(column IN (${NAMES}), 'decoded', column)`;
const ACTIVE = `active AND database = '${DATABASE}'`;
const OTHER_TABLES = ['coverage', 'stations', 'slices'];

/** @param observations the table that contains the reports */
export async function readDiskUsage(http: HttpClient, observations: string): Promise<DiskUsage> {
  const columns = await readBytes(
    http,
    `SELECT ${COLUMN} AS name, sum(column_bytes_on_disk) FROM system.parts_columns
     WHERE ${ACTIVE} AND table = '${observations}' GROUP BY name ORDER BY name`,
  );
  const projection = await readBytes(
    http,
    `SELECT ${COLUMN} AS name, sum(column_bytes_on_disk) FROM system.projection_parts_columns
     WHERE ${ACTIVE} AND table = '${observations}' GROUP BY name ORDER BY name`,
  );
  const tables = await readBytes(
    http,
    `SELECT table, sum(bytes_on_disk) FROM system.parts WHERE ${ACTIVE} GROUP BY table ORDER BY table`,
  );
  const rest = (tables.get(observations) ?? 0) - sum(columns.values()) - sum(projection.values());
  const bytes = [
    ...[...columns].map(([name, each]) => [`table: ${name}`, each] as const),
    ...[...projection].map(([name, each]) => [`projection: ${name}`, each] as const),
    ['indexes, marks, checksums', rest] as const,
    ...OTHER_TABLES.map((name) => [name, tables.get(name) ?? 0] as const),
  ];
  const reports = Number(await http.command(`SELECT count() FROM ${DATABASE}.${observations} FORMAT TSV`));
  return {
    reports,
    total: sum(bytes.map(([, each]) => each)) / reports,
    shares: new Map(bytes.map(([name, each]) => [name, each / reports])),
  };
}

async function readBytes(http: HttpClient, statement: string): Promise<ReadonlyMap<string, number>> {
  const text = await http.command(`${statement} FORMAT TSV`);
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [name = '', bytes] = line.split('\t');
      return [name, Number(bytes)];
    }),
  );
}
