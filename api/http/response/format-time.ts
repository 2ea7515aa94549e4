/** A time without fractions of a second, `2024-01-31T12:51:00Z` (D1); `undefined` stays `undefined`. */
export function formatTime(epochSeconds: number | undefined): string | undefined {
  return epochSeconds === undefined
    ? undefined
    : new Date(epochSeconds * 1000).toISOString().replace('.000Z', 'Z');
}
