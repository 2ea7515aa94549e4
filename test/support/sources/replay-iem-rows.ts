import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { IemReport } from './iem-reports.ts';

/** A row of a station-year file: its values by the names of the file's header. */
export type Row = {
  readonly station: string;
  readonly valid: string;
  /** IEM's report type: 3 routine, 4 special. Files have none; here the first report of a station and hour is routine. */
  readonly reportType: '3' | '4';
  readonly values: ReadonlyMap<string, string>;
};

type Untyped = Omit<Row, 'reportType'>;

/**
 * Reads the rows of a folder of `STATION_YYYY.csv` or `.csv.gz` files in IEM's format, by IEM's station id and in the
 * order of time. The header names the columns: `station`, `valid`, `metar` and any others.
 */
export async function readFolder(folder: string): Promise<ReadonlyMap<string, readonly Row[]>> {
  const rows: Untyped[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (!/^[A-Z0-9]+_\d{4}\.csv(\.gz)?$/.test(name)) continue;
    const bytes = await readFile(join(folder, name));
    rows.push(...parse((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')));
  }
  return byStation(rows);
}

/** The same of reports, with the columns of a position. */
export function rowsOf(reports: readonly IemReport[]): ReadonlyMap<string, readonly Row[]> {
  return byStation(
    reports.map(({ id, valid, metar }) => {
      const values = new Map(Object.entries({ lon: '-73.7000', lat: '45.4000', metar }));
      return { station: id, valid, values };
    }),
  );
}

function byStation(all: readonly Untyped[]): ReadonlyMap<string, readonly Row[]> {
  const rows = new Map<string, Untyped[]>();
  for (const row of all) {
    const known = rows.get(row.station);
    if (known === undefined) rows.set(row.station, [row]);
    else known.push(row);
  }
  return new Map([...rows].map(([station, list]) => [station, typed(list.sort(byTime))]));
}

export function byTime(a: Pick<Row, 'valid'>, b: Pick<Row, 'valid'>): number {
  return a.valid < b.valid ? -1 : a.valid > b.valid ? 1 : 0;
}

function typed(rows: readonly Untyped[]): readonly Row[] {
  const hourOf = (row: Untyped | undefined) => row?.valid.slice(0, 13);
  return rows.map((row, at) => ({ ...row, reportType: hourOf(row) === hourOf(rows[at - 1]) ? '4' : '3' }));
}

function parse(text: string): readonly Untyped[] {
  const [header = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const names = header.split(',');
  return lines.map((line) => {
    const values = new Map(line.split(',').map((value, at) => [names[at] ?? '', value]));
    return { station: values.get('station') ?? '', valid: values.get('valid') ?? '', values };
  });
}
