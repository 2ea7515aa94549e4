import { compileSchema } from '../../clickhouse/schema-validator.ts';
import type { BoundingBox, StationFilters } from '../../clickhouse/stations/known-stations.ts';
import { requireAllValid, splitLists, splitQuery } from '../http/request/query-string.ts';
import { PARAMETERS as OBSERVATIONS } from '../observations/query-params.ts';

export type StationsQuery = {
  readonly filters: StationFilters;
  readonly limit: number;
  readonly cursor?: string;
};

/** The parameters with the right syntax; `bbox` and `limit` are still text. */
type QueryValues = Pick<StationFilters, 'stations' | 'country' | 'q'> & {
  readonly bbox?: string;
  readonly limit: string;
  readonly cursor?: string;
};

const BBOX = '-125,24,-66,50';

/** Every parameter of the stations endpoint. A parameter that is not here is refused. */
export const PARAMETERS = {
  stations: OBSERVATIONS.stations,
  country: {
    purpose: 'Country of the station',
    description: 'a country code of two uppercase letters (ISO 3166-1), as in DE',
    type: 'string',
    pattern: '^[A-Z]{2}$',
  },
  bbox: {
    purpose: 'Box that the position lies in',
    description: `west,south,east,north in degrees, as in ${BBOX}; west greater than east crosses the antimeridian`,
    type: 'string',
    format: 'bbox',
  },
  q: {
    purpose: 'Text to search for, in upper or lower case',
    description: 'a part of the code or the name, of 1 to 64 characters',
    type: 'string',
    minLength: 1,
    maxLength: 64,
  },
  limit: {
    purpose: 'Size of a page at most',
    description: 'a whole number from 1 to 1,000',
    type: 'string',
    wholeNumber: [1, 1000],
    default: '100',
  },
  cursor: OBSERVATIONS.cursor,
} as const;

const validate = compileSchema<QueryValues>(
  { type: 'object', properties: PARAMETERS, required: [], additionalProperties: false },
  { bbox: (text: string) => parseBoundingBox(text) !== undefined },
);

/** Parses the query string. All invalid parameters are reported together (D35). */
export function parseStationsQuery(query: string): StationsQuery {
  const { values, repeated } = splitQuery(query, PARAMETERS);
  const { checked } = requireAllValid(repeated, { checked: validate(splitLists(values, PARAMETERS)) });
  const { stations, country, q, bbox: text, limit, cursor } = checked;
  const bbox = text === undefined ? undefined : parseBoundingBox(text);
  const filters = {
    ...(stations && { stations }),
    ...(country && { country }),
    ...(bbox && { bbox }),
    ...(q && { q }),
  };
  return { filters, limit: Number(limit), ...(cursor !== undefined && { cursor }) };
}

/** `undefined` for anything but four numbers in range, the southern edge not north of the northern one. */
function parseBoundingBox(text: string): BoundingBox | undefined {
  const edges = text.split(',');
  if (edges.length !== 4 || !edges.every((edge) => /^-?\d{1,3}(\.\d{1,12})?$/.test(edge))) return undefined;
  // Adding 0 makes -0 the same value as 0, which a cursor is bound to.
  const [west = 0, south = 0, east = 0, north = 0] = edges.map((edge) => Number(edge) + 0);
  const isInRange = [west, east].every((edge) => Math.abs(edge) <= 180) && south >= -90 && north <= 90;
  return isInRange && south <= north ? { west, south, east, north } : undefined;
}
