import { addDays, type Day } from '../../clickhouse/model/day.ts';
import { MinuteHistogram } from '../../loader/pipeline/report-type.ts';
import { demo } from '../../loader/sources/demo/demo.ts';

/** The world as IEM sends it: this many stations make some 250,000 reports a day. */
const WORLD_STATIONS = 8_000;

/** Synthetic reports as IEM would send them: its CSV, no keyword. */
export function yearOf(station: string, year: number): Buffer {
  const slice = {
    source: 'demo',
    station,
    firstDay: `${year}-01-01` as Day,
    endDay: `${year + 1}-01-01` as Day,
  } as const;
  return csvOf(demo().generate(slice).rows);
}

/** Every station's day, over and over in steps of the year until it has the world's quarter million reports. */
export function worldDay(day: Day): ReadonlyMap<string, Buffer> {
  const sent = Array.from({ length: WORLD_STATIONS }, (_, at) => {
    const slice = {
      source: 'demo',
      station: stationAt(at),
      firstDay: day,
      endDay: addDays(day, 1),
    } as const;
    return demo().generate(slice).rows;
  })
    .flat()
    .sort((a, b) => a.filedAt - b.filedAt);
  const minutes = new MinuteHistogram();
  for (const { station, filedAt } of sent) minutes.add({ station, observedAt: filedAt });
  const isMetar = minutes.inference();
  const routine = sent.filter(({ station, filedAt }) => isMetar(station, filedAt));
  const special = sent.filter(({ station, filedAt }) => !isMetar(station, filedAt));
  return new Map([
    [`${day} 3`, csvOf(routine)],
    [`${day} 4`, csvOf(special)],
  ]);
}

function csvOf(
  sent: readonly { readonly station: string; readonly filedAt: number; readonly text: string }[],
): Buffer {
  const rows = sent.map(({ station, filedAt, text }) => {
    const valid = new Date(filedAt * 1000).toISOString().slice(0, 16).replace('T', ' ');
    return `${station},${valid},${text.replace(/^(METAR|SPECI) /, '')}\n`;
  });
  return Buffer.from(`station,valid,metar\n${rows.join('')}`);
}

export function stationAt(at: number): string {
  const letter = (place: number) => String.fromCharCode(65 + (Math.floor(at / 26 ** place) % 26));
  return `X${letter(2)}${letter(1)}${letter(0)}`;
}
