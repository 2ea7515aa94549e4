import type { Asker } from '../http-client.ts';
import { section, table } from '../markdown.ts';

/** Bytes per report, by what they are kept for. */
export type Size = {
  readonly reports: number;
  readonly whole: number;
  readonly parts: ReadonlyMap<string, number>;
};

/** Columns that are named one by one; all fields of `decoded` count as one. */
const COLUMN = `if(startsWith(column, 'decoded'), 'decoded', column)`;

export async function measureSize(engine: Asker, database: string, reportsIn: string): Promise<Size> {
  const active = `active AND database = '${database}'`;
  const rows = async (statement: string) =>
    new Map(
      (await engine.command(`${statement} FORMAT TSV`))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [name = '', bytes] = line.split('\t');
          return [name, Number(bytes)] as const;
        }),
    );
  const columns = await rows(
    `SELECT ${COLUMN} AS name, sum(column_bytes_on_disk) FROM system.parts_columns
     WHERE ${active} AND table = '${reportsIn}' GROUP BY name ORDER BY name`,
  );
  const projected = await rows(
    `SELECT ${COLUMN} AS name, sum(column_bytes_on_disk) FROM system.projection_parts_columns
     WHERE ${active} AND table = '${reportsIn}' GROUP BY name ORDER BY name`,
  );
  const others = await rows(
    `SELECT table, sum(bytes_on_disk) FROM system.parts
     WHERE ${active} AND table IN ('coverage', 'stations', 'slices', 'migrations', '${reportsIn}') GROUP BY table`,
  );
  const reports = Number(await engine.command(`SELECT count() FROM ${database}.${reportsIn} FORMAT TSV`));
  const observations = others.get(reportsIn) ?? 0;
  others.delete(reportsIn);
  const parts = new Map<string, number>();
  for (const [name, bytes] of columns) parts.set(`table: ${name}`, bytes);
  for (const [name, bytes] of projected) parts.set(`projection: ${name}`, bytes);
  const named = [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
  parts.set('indexes, marks, checksums', observations - named);
  for (const [name, bytes] of others) parts.set(name, bytes);
  const whole = [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
  return {
    reports,
    whole: whole / reports,
    parts: new Map([...parts].map(([name, bytes]) => [name, bytes / reports])),
  };
}

export function sizeTable(sizes: readonly { readonly name: string; readonly size: Size }[]): string {
  const names = [...new Set(sizes.flatMap(({ size }) => [...size.parts.keys()]))];
  const figure = (value: number | undefined) => (value ?? 0).toFixed(2);
  const shown = names.filter((name) => sizes.some(({ size }) => (size.parts.get(name) ?? 0) >= 0.005));
  return section(
    'Bytes per report',
    table(
      ['what', ...sizes.map(({ name }) => name)],
      [
        ['**everything**', ...sizes.map(({ size }) => figure(size.whole))],
        ...shown.map((name) => [name, ...sizes.map(({ size }) => figure(size.parts.get(name)))]),
        ['reports', ...sizes.map(({ size }) => size.reports.toLocaleString('en'))],
      ],
    ),
    'Promised: at most 75 bytes a report for everything. Stored column by column, as every year of a large archive is. ' +
      'All in one year: the same reports moved into one year, where stations stand between each other as in a large archive.',
  );
}
