import type { BoundingBox, StationFilters } from '../../clickhouse/stations/known-stations.ts';
import type { Coordinates } from '../../clickhouse/stations/station-descriptions.ts';
import { compileSchema, type ValidationResult } from '../../clickhouse/validation/schema-validator.ts';
import { requireAllValid, splitLists, splitQuery } from '../http/request/query-string.ts';
import { PARAMETERS as OBSERVATIONS } from '../observations/query-params.ts';

export type StationsQuery = {
  readonly filters: StationFilters;
  readonly limit: number;
  readonly cursor?: string;
};

/** The parameters with the right syntax; numbers are still text. */
type QueryValues = Pick<StationFilters, 'stations' | 'country' | 'q'> & {
  readonly bbox?: string;
  readonly near?: string;
  readonly radius_km: string;
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
  near: {
    purpose: 'Point near which the station is; the nearest comes first',
    description:
      'LAT,LON in degrees without a space, as in 50.03,8.57: latitude from -90 to 90, longitude from -180 to 180',
    type: 'string',
    format: 'point',
  },
  radius_km: {
    purpose: 'Greatest distance from the point of near',
    description: 'a number of kilometres from 1 to 1,000, as in 46.3',
    type: 'string',
    decimalNumber: [1, 1000],
    default: '100',
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
  {
    bbox: (text: string) => parseBoundingBox(text) !== undefined,
    point: (text: string) => parsePoint(text) !== undefined,
  },
);

/** Parses the query string. All invalid parameters are reported together (D35). */
export function parseStationsQuery(query: string): StationsQuery {
  const { values, repeated } = splitQuery(query, PARAMETERS);
  const { checked } = requireAllValid(repeated, {
    checked: validate(splitLists(values, PARAMETERS)),
    radius: checkRadius(values),
  });
  const { stations, country, q, limit, cursor } = checked;
  const point = checked.near === undefined ? undefined : parsePoint(checked.near);
  const all: { readonly [Name in keyof Required<StationFilters>]: StationFilters[Name] | undefined } = {
    stations,
    country,
    bbox: checked.bbox === undefined ? undefined : parseBoundingBox(checked.bbox),
    q,
    near: point && { ...point, radius_km: Number(checked.radius_km) },
  };
  const filters: StationFilters = Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  );
  return { filters, limit: Number(limit), ...(cursor !== undefined && { cursor }) };
}

/** `undefined` for anything but four numbers in range, the southern edge not north of the northern one. */
function parseBoundingBox(text: string): BoundingBox | undefined {
  const edges = parseDegrees(text);
  if (edges?.length !== 4) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = edges;
  const isInRange = [west, east].every((edge) => Math.abs(edge) <= 180) && south >= -90 && north <= 90;
  return isInRange && south <= north ? { west, south, east, north } : undefined;
}

/** `undefined` for anything but two numbers in range. */
function parsePoint(text: string): Coordinates | undefined {
  const degrees = parseDegrees(text);
  if (degrees?.length !== 2) return undefined;
  const [latitude = 0, longitude = 0] = degrees;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** Numbers between commas, with as many decimals as programs print; `undefined` for other texts. */
function parseDegrees(text: string): readonly number[] | undefined {
  const numbers = text.split(',');
  if (!numbers.every((number) => /^-?\d{1,3}(\.\d{1,20})?$/.test(number))) return undefined;
  // Adding 0 makes -0 the same value as 0, which a cursor is bound to.
  return numbers.map((number) => Number(number) + 0);
}

function checkRadius(values: ReadonlyMap<string, string>): ValidationResult<undefined> {
  if (!values.has('radius_km') || values.has('near')) return { kind: 'valid', value: undefined };
  const detail = 'is the distance from a point: write near=LAT,LON too, as in near=50.03,8.57';
  return { kind: 'invalid', errors: [{ name: 'radius_km', detail }] };
}
