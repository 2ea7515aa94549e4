/** IEM's station ids are ICAO codes, but without the K of the contiguous United States: KJFK is JFK. */

export function toIemId(station: string): string {
  return station.startsWith('K') ? station.slice(1) : station;
}

export function toIcaoCode(id: string): string {
  return id.length === 3 ? `K${id}` : id;
}

/** Returns the same string object for every row of a station: a day of all stations has a quarter of a million rows. */
export function icaoCodeCache(): (id: string) => string {
  const codes = new Map<string, string>();
  return (id) => {
    const known = codes.get(id);
    if (known !== undefined) return known;
    const code = toIcaoCode(id);
    codes.set(id, code);
    return code;
  };
}
