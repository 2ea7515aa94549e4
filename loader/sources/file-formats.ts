import type { Source } from '../../clickhouse/model/report.ts';
import { awcRowParser } from './awc.ts';
import { asosRowParser } from './iem/asos.ts';
import { isdRowParser } from './ncei/isd.ts';
import { ogimetRowParser } from './ogimet.ts';
import type { RowParser } from './source.ts';

export type FileFormat = {
  readonly source: Source;
  /** `undefined` where a file of this format does not begin like this. */
  readonly open: (line: string) => RowParser | undefined;
  /** Whether the line that tells the format is a report already. */
  readonly isRow: (line: string) => boolean;
};

/** @param stations ICAO codes by ISD's number */
export function fileFormats(stations: ReadonlyMap<string, string>): readonly FileFormat[] {
  const never = () => false;
  return [
    { source: 'iem', open: asosRowParser, isRow: never },
    { source: 'ogimet', open: ogimetRowParser, isRow: (line) => !line.startsWith('ESTACION,') },
    { source: 'ncei', open: (line) => isdRowParser(line, stations), isRow: never },
    { source: 'awc', open: awcRowParser, isRow: never },
  ];
}
