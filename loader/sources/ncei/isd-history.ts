import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import { parseCsvLine } from '../csv.ts';
import { type Body, InvalidResponseError } from '../source.ts';
import { forEachLine } from '../split-lines.ts';

/** One of the numbers, USAF and WBAN, under which ISD has kept an ICAO station over the years. */
export type IsdStation = {
  readonly station: string;
  readonly id: string;
  readonly firstYear: number;
  readonly lastYear: number;
};

const NEEDED = ['USAF', 'WBAN', 'ICAO', 'BEGIN', 'END'] as const;
type Columns = Readonly<Record<(typeof NEEDED)[number], number>>;

/** Reads isd-history.csv, as far as it knows ICAO codes. One code stands for several numbers over time. */
export async function parseHistory(body: Body): Promise<readonly IsdStation[]> {
  const numbered: IsdStation[] = [];
  let columns: Columns | undefined;
  await forEachLine(body, (line) => {
    const values = parseCsvLine(line);
    if (columns === undefined) {
      const at = Object.fromEntries(NEEDED.map((name) => [name, values.indexOf(name)])) as Columns;
      if (Object.values(at).some((index) => index < 0))
        throw new InvalidResponseError('no header of isd-history.csv');
      columns = at;
      return;
    }
    const value = (name: (typeof NEEDED)[number]) => values[columns?.[name] ?? -1] ?? '';
    const station = value('ICAO').trim();
    const id = value('USAF') + value('WBAN');
    if (!ICAO_CODE.test(station) || !/^[A-Z0-9]{11}$/.test(id)) return;
    const year = (name: 'BEGIN' | 'END') => Number(value(name).slice(0, 4));
    numbered.push({ station, id, firstYear: year('BEGIN'), lastYear: year('END') });
  });
  return numbered;
}
