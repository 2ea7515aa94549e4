import type { Source } from '../../clickhouse/model/report.ts';
import { awcRowParser } from './awc.ts';
import { asosRowParser } from './iem/asos.ts';
import { isdRowParser } from './ncei/isd.ts';
import { ogimetRowParser } from './ogimet.ts';
import type { RowParser } from './source.ts';

/** A format of files that `--source files` reads. Its reports get the rank of its source (D4). */
export type FileFormat = {
  readonly source: Source;
  /** Returns the parser of the lines that follow; `undefined` where `line` does not begin a file of this format. */
  readonly open: (line: string) => RowParser | undefined;
  /** Whether the line that `open` has accepted holds a report itself. */
  readonly isRow: (line: string) => boolean;
};

/** @param stations ICAO codes by ISD station id */
export function fileFormats(stations: ReadonlyMap<string, string>): readonly FileFormat[] {
  const never = () => false;
  return [
    { source: 'iem', open: asosRowParser, isRow: never },
    { source: 'ogimet', open: ogimetRowParser, isRow: (line) => !line.startsWith('ESTACION,') },
    { source: 'ncei', open: (line) => isdRowParser(line, stations), isRow: never },
    { source: 'awc', open: awcRowParser, isRow: never },
  ];
}
