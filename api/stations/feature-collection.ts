import { type Envelope, elementsOf, entityTagOf } from '../http/response/envelope.ts';
import { STATIONS_MEDIA_TYPES } from './formats.ts';
import type { StationRecord } from './read-stations.ts';

const START = Buffer.from('{"type":"FeatureCollection","features":[');
const END = Buffer.from(']}');

/**
 * A page of stations as GeoJSON (RFC 7946), for maps and geographic information systems. The content of `meta` in JSON
 * is in headers, so this holds only the features.
 */
export function buildFeatureCollection(
  records: readonly StationRecord[],
  nextCursor: string | undefined,
): Envelope {
  const features = elementsOf(records.map((record) => JSON.stringify(toFeature(record))));
  return {
    mediaType: STATIONS_MEDIA_TYPES.geojson,
    etag: entityTagOf(`${features.digest} ${nextCursor} geojson`),
    start: [START, ...features.parts],
    end: END,
  };
}

/** The geometry holds the elevation; without a geometry, the properties do. */
function toFeature({ station, latitude, longitude, elevation_m, ...properties }: StationRecord): object {
  if (latitude === undefined || longitude === undefined)
    return { type: 'Feature', id: station, geometry: null, properties: { ...properties, elevation_m } };
  const coordinates = [longitude, latitude, ...(elevation_m === undefined ? [] : [elevation_m])];
  return { type: 'Feature', id: station, geometry: { type: 'Point', coordinates }, properties };
}
