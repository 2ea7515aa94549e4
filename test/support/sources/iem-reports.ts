import type { Day } from '../../../clickhouse/model/day.ts';
import type { Slice } from '../../../loader/sources/source.ts';

export const SLICE_OF_A_DAY: Slice = {
  source: 'iem',
  station: 'KXYZ',
  firstDay: '2024-01-01' as Day,
  endDay: '2024-01-02' as Day,
};

/** A row of IEM: `valid` is `YYYY-MM-DD HH:MM`. */
export type IemReport = { readonly id: string; readonly valid: string; readonly metar: string };

/** Reports at minute 51 of every hour of some days, and a SPECI at minute 7 of every fifteenth hour. */
export function hourly(id: string, firstDay: string, days: number): readonly IemReport[] {
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

export function byTime(one: IemReport, other: IemReport): number {
  return one.valid < other.valid ? -1 : one.valid > other.valid ? 1 : 0;
}
