import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import type { StationDescription } from '../../clickhouse/stations/station-descriptions.ts';
import { awcStationsUrl, parseAwcStations } from './awc-stations.ts';
import { MAX_LIST_BYTES } from './json-body.ts';
import { SOURCE_ADAPTERS } from './registry.ts';
import type { Body, SourceAdapter, SourceRequest } from './source.ts';

/** A list that describes many stations in one response. */
export type StationDescriptionList = {
  readonly request: SourceRequest;
  readonly parse: (body: Body) => Promise<readonly StationDescription[]>;
};

/** The sources that publish such a list. AWC publishes one although no reports are loaded from it over HTTP. */
export const STATION_LISTS = {
  iem: (host?: string) => listOf(SOURCE_ADAPTERS.iem(host)),
  awc: (host?: string) => ({
    request: { url: awcStationsUrl(host), maxBytes: MAX_LIST_BYTES },
    parse: parseAwcStations,
  }),
  ncei: (host?: string) => listOf(SOURCE_ADAPTERS.ncei(host)),
} as const satisfies Partial<Record<Source, (host?: string) => StationDescriptionList>>;

export type StationListName = keyof typeof STATION_LISTS;

export const STATION_LIST_NAMES = Object.keys(STATION_LISTS) as readonly StationListName[];

/** The list that a load from the source also uses. */
function listOf(adapter: SourceAdapter): StationDescriptionList {
  const directory = adapter.kind === 'remote' ? adapter.stationDirectory : undefined;
  switch (directory?.kind) {
    case 'per station':
      return {
        request: directory.request(ALL_STATIONS),
        parse: async (body) => (await directory.parse(body, ALL_STATIONS)).descriptions,
      };
    case 'all stations':
      return {
        request: directory.request,
        parse: async (body) => (await directory.parse(body)).descriptions,
      };
    default:
      throw new Error(`${adapter.source} has no list of stations`);
  }
}
