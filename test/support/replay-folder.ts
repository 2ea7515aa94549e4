import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A report as IEM would file it: `valid` is `YYYY-MM-DD HH:MM`. */
export type Filed = { readonly id: string; readonly valid: string; readonly metar: string };

export type Folder = { readonly path: string; remove(): Promise<void> };

/** A folder of station-year files that holds these reports, in IEM's format with its place columns. */
export async function folderOf(reports: readonly Filed[]): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'replay-'));
  const files = new Map<string, string[]>();
  for (const { id, valid, metar } of reports) {
    const name = `${id}_${valid.slice(0, 4)}.csv`;
    const lines = files.get(name) ?? ['station,valid,lon,lat,metar'];
    files.set(name, lines);
    lines.push(`${id},${valid},-73.7000,45.4000,${metar}`);
  }
  for (const [name, lines] of files) await writeFile(join(path, name), `${lines.join('\n')}\n`);
  return { path, remove: () => rm(path, { recursive: true }) };
}

/** Hourly reports at :51 from the first day to the last, both whole, and a special one at :07 of every fifteenth hour. */
export function hourly(id: string, firstDay: string, days: number): readonly Filed[] {
  const station = id.length === 3 ? `K${id}` : id;
  const start = Date.parse(`${firstDay}T00:00:00Z`);
  return Array.from({ length: days * 24 }, (_, hour) => {
    const minutes = hour % 15 === 0 ? [7, 51] : [51];
    return minutes.map((minute) => {
      const text = new Date(start + hour * 3_600_000 + minute * 60_000).toISOString();
      const time = `${text.slice(8, 10)}${text.slice(11, 13)}${text.slice(14, 16)}Z`;
      const metar = `${station} ${time} 180${10 + (hour % 9)}KT 10SM FEW050 ${10 + (hour % 9)}/05 A3002`;
      return { id, valid: text.slice(0, 16).replace('T', ' '), metar };
    });
  }).flat();
}
