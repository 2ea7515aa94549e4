import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A row of a station-year file: its values by the names of the file's header. */
export type Row = {
  readonly station: string;
  readonly valid: string;
  readonly values: ReadonlyMap<string, string>;
};

/**
 * Every row of a folder of `STATION_YYYY.csv` or `.csv.gz` files in IEM's format, by IEM's id of the station and in
 * order of time. The header names the columns: `station`, `valid`, `metar` and whatever else is there.
 */
export async function readFolder(folder: string): Promise<ReadonlyMap<string, readonly Row[]>> {
  const rows = new Map<string, Row[]>();
  for (const name of (await readdir(folder)).sort()) {
    if (!/^[A-Z0-9]+_\d{4}\.csv(\.gz)?$/.test(name)) continue;
    const bytes = await readFile(join(folder, name));
    for (const row of parse((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'))) {
      const known = rows.get(row.station);
      if (known === undefined) rows.set(row.station, [row]);
      else known.push(row);
    }
  }
  for (const list of rows.values()) list.sort((a, b) => (a.valid < b.valid ? -1 : a.valid > b.valid ? 1 : 0));
  return rows;
}

function parse(text: string): readonly Row[] {
  const [header = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const names = header.split(',');
  return lines.map((line) => {
    const values = new Map(line.split(',').map((value, at) => [names[at] ?? '', value]));
    return { station: values.get('station') ?? '', valid: values.get('valid') ?? '', values };
  });
}
