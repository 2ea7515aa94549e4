import type { PlaceInList } from '../../clickhouse/stations.ts';
import { MINUTE, objectSchema, pageSchema, STATION, schemaRef, text } from '../contract/answers.ts';
import { MEDIA_TYPES, PAGE_HEADERS, positionCheck, type QueryEndpoint } from '../contract/endpoint.ts';

/** The formats of a page of stations (D48). The first one is the default. */
export const STATIONS_MEDIA_TYPES = { json: MEDIA_TYPES.json, geojson: 'application/geo+json' } as const;

const STATION_PROPERTIES = {
  'name?': { type: 'string' },
  'country?': { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' },
  'latitude?': { type: 'number', minimum: -90, maximum: 90, 'x-unit': 'degrees' },
  'longitude?': { type: 'number', minimum: -180, maximum: 180, 'x-unit': 'degrees' },
  'elevation_m?': { type: 'number', 'x-unit': 'm' },
  'distance_km?': {
    type: 'number',
    minimum: 0,
    maximum: 1000,
    description: 'Distance from the point of `near` with two decimals; absent without `near`.',
    'x-unit': 'km',
  },
  'timezone?': text('IANA name of the time zone that a source states, else of the zone at the position.'),
  'runways?': {
    type: 'array',
    minItems: 1,
    description: 'Each direction of a runway, where the list of aerodromes has it.',
    items: objectSchema({
      ident: { type: 'string', pattern: '^(0[1-9]|[12]\\d|3[0-6])[LCR]?$' },
      heading_deg: { type: 'number', minimum: 0, maximum: 360, description: 'True.', 'x-unit': 'degrees' },
      length_m: { type: 'integer', minimum: 1, 'x-unit': 'm' },
    }),
  },
  'periodOfRecord?': schemaRef('PeriodOfRecord'),
  'firstReport?': MINUTE,
  'lastReport?': MINUTE,
};

const { 'latitude?': _north, 'longitude?': _east, ...FEATURE_PROPERTIES } = STATION_PROPERTIES;

export const STATIONS: QueryEndpoint<PlaceInList> = {
  name: 'stations',
  mediaTypes: STATIONS_MEDIA_TYPES,
  parameters: {
    stations: {},
    country: {},
    bbox: {},
    q: {},
    near: {},
    radius_km: {},
    limit: {
      description: 'a whole number from 1 to 1,000',
      schema: { type: 'string', wholeNumber: [1, 1000], default: '100' },
    },
    cursor: {},
  },
  checkPosition: positionCheck<PlaceInList>({
    station: STATION,
    'distance_km?': { type: 'number', minimum: 0, maximum: 1000 },
  }),
  operationId: 'listStations',
  summary: 'Find stations',
  description:
    'Stations that the archive knows, in the order of their codes, or with `near` of their distances. All filters must hold. Guide: [stations](/docs/stations).',
  answer: 'A page of stations',
  contents: {
    json: { schema: 'StationsPage', headers: PAGE_HEADERS },
    geojson: { schema: 'StationFeatures', headers: [...PAGE_HEADERS, 'X-Has-More', 'X-Next-Cursor'] },
  },
  schemas: {
    StationsPage: pageSchema('Station', {}),
    Station: {
      description: 'A station that the archive knows. What no source states is absent.',
      ...objectSchema({ station: STATION, ...STATION_PROPERTIES }),
    },
    StationFeatures: {
      description: 'A page of stations as a FeatureCollection of GeoJSON (RFC 7946).',
      ...objectSchema({
        type: { const: 'FeatureCollection' },
        features: { type: 'array', items: schemaRef('StationFeature') },
      }),
    },
    StationFeature: {
      description: 'A station as a Feature of GeoJSON (RFC 7946).',
      ...objectSchema({
        type: { const: 'Feature' },
        id: STATION,
        geometry: {
          description: '`null` where the position is not known.',
          oneOf: [
            { type: 'null' },
            objectSchema({
              type: { const: 'Point' },
              coordinates: {
                type: 'array',
                items: { type: 'number' },
                minItems: 2,
                maxItems: 3,
                description:
                  'Longitude, latitude and, where it is known, elevation above mean sea level in m.',
              },
            }),
          ],
        },
        properties: {
          description: 'The other members of the record; `elevation_m` only where the position is not known.',
          ...objectSchema(FEATURE_PROPERTIES),
        },
      }),
    },
  },
};
