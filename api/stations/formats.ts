/** The formats of a page of stations (D48). The first one is the default. */
export const STATIONS_MEDIA_TYPES = {
  json: 'application/json',
  geojson: 'application/geo+json',
} as const;
