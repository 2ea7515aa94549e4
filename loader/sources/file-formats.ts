import type { Source } from '../../clickhouse/model/report.ts';
import { awcRows } from './awc.ts';
import { asosRows } from './iem/asos.ts';
import { isdRows } from './ncei/isd.ts';
import { ogimetRows } from './ogimet.ts';
import type { RowReader } from './source.ts';

export type Format = {
  readonly source: Source;
  /** `undefined` where a file of this format does not begin like this. */
  readonly open: (line: string) => RowReader | undefined;
  /** Whether the line that tells the format is a report already. */
  readonly isRow: (line: string) => boolean;
};

/** @param stations ICAO codes by ISD's number */
export function formats(stations: ReadonlyMap<string, string>): readonly Format[] {
  const never = () => false;
  return [
    { source: 'iem', open: asosRows, isRow: never },
    { source: 'ogimet', open: ogimetRows, isRow: (line) => !line.startsWith('ESTACION,') },
    { source: 'ncei', open: (line) => isdRows(line, stations), isRow: never },
    { source: 'awc', open: awcRows, isRow: never },
  ];
}
