import { addDays, type Day } from '../../../clickhouse/model/day.ts';
import { MinuteHistogram } from '../../../loader/pipeline/report-type.ts';
import { demo } from '../../../loader/sources/demo/demo.ts';
import { stationCode } from '../read/layout.ts';

type SourceRow = { readonly station: string; readonly filedAt: number; readonly text: string };

/** IEM's reports of all stations: this many demo stations make about 250,000 reports a day. */
const WORLD_STATIONS = 8_000;

const source = demo();

/** A response of IEM with synthetic reports: CSV, without the keywords METAR and SPECI. */
export function stationYear(station: string, year: number): Buffer {
  return csvOf(rowsOf(station, `${year}-01-01` as Day, `${year + 1}-01-01` as Day));
}

/** The two responses of IEM for a day of the world, by day and `report_type` (3 routine, 4 special). */
export function worldDay(day: Day): ReadonlyMap<string, Buffer> {
  const rows = Array.from({ length: WORLD_STATIONS }, (_, n) => rowsOf(stationCode(n), day, addDays(day, 1)))
    .flat()
    .sort((a, b) => a.filedAt - b.filedAt);
  const minutes = new MinuteHistogram();
  for (const { station, filedAt } of rows) minutes.add({ station, observedAt: filedAt });
  const isMetar = minutes.inference();
  const routine = rows.filter(({ station, filedAt }) => isMetar(station, filedAt));
  const special = rows.filter(({ station, filedAt }) => !isMetar(station, filedAt));
  return new Map([
    [`${day} 3`, csvOf(routine)],
    [`${day} 4`, csvOf(special)],
  ]);
}

function rowsOf(station: string, firstDay: Day, endDay: Day): readonly SourceRow[] {
  return source.generate({ source: 'demo', station, firstDay, endDay }).rows;
}

function csvOf(rows: readonly SourceRow[]): Buffer {
  const lines = rows.map(({ station, filedAt, text }) => {
    const valid = new Date(filedAt * 1000).toISOString().slice(0, 16).replace('T', ' ');
    return `${station},${valid},${text.replace(/^(METAR|SPECI) /, '')}\n`;
  });
  return Buffer.from(`station,valid,metar\n${lines.join('')}`);
}
