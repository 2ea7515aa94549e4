/** A row of IEM's station metadata; no value is trusted to have its type. */
export type StationRow = Readonly<Partial<Record<Column, unknown>>>;

type Column =
  | 'id'
  | 'network'
  | 'archive_begin'
  | 'archive_end'
  | 'name'
  | 'country'
  | 'state'
  | 'latitude'
  | 'longitude'
  | 'elevation'
  | 'tzname';

/**
 * Returns the rows of IEM's two forms: a list, alone or as `data`; or GeoJSON features, whose `properties` lack the id
 * and the position, and have the name as `sname`. Anything else has no rows.
 */
export function stationRows(parsed: unknown): readonly StationRow[] {
  const list = isObject(parsed) && !Array.isArray(parsed) ? (parsed.features ?? parsed.data) : parsed;
  if (!Array.isArray(list)) return [];
  return list
    .filter(isObject)
    .map((row) => (isObject(row.properties) ? rowOfFeature(row, row.properties) : row));
}

function rowOfFeature(
  { id, geometry }: Record<string, unknown>,
  properties: Record<string, unknown>,
): StationRow {
  const coordinates = isObject(geometry) && Array.isArray(geometry.coordinates) ? geometry.coordinates : [];
  const [longitude, latitude] = coordinates as readonly unknown[];
  return { id, name: properties.sname, longitude, latitude, ...properties };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
