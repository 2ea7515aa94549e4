import type { Source } from '../../clickhouse/model/report.ts';
import { METARS_CACHE_FORMAT } from './awc.ts';
import { ASOS_FORMAT } from './iem/asos.ts';
import { isdFormat } from './ncei/isd.ts';
import { GETMETAR_FORMAT } from './ogimet.ts';
import type { RowFormat } from './parse-rows.ts';

/** A format of files that `--source files` reads. Its reports get the rank of its source (D4). */
export type FileFormat = RowFormat & { readonly source: Source };

/** @param stations ICAO codes by ISD station id; the call sign of a row counts where its id is not listed */
export function fileFormats(stations: ReadonlyMap<string, string>): readonly FileFormat[] {
  return [
    { source: 'iem', ...ASOS_FORMAT },
    { source: 'ogimet', ...GETMETAR_FORMAT },
    { source: 'ncei', ...isdFormat((id, callSign) => stations.get(id) ?? callSign) },
    { source: 'awc', ...METARS_CACHE_FORMAT },
  ];
}
