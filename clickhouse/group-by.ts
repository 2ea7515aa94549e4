/** As `Map.groupBy`, which Node.js has from version 21 on. */
export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

export function inGroups<V>(values: readonly V[], size: number): readonly (readonly V[])[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) =>
    values.slice(at * size, (at + 1) * size),
  );
}

/** Splits stations, in their order, into groups. A group exceeds `maxReports` only with a single station. */
export function groupStations<T extends { readonly station: string; readonly reports: number }>(
  counts: readonly T[],
  maxReports: number,
  maxStations: number,
): readonly (readonly T[])[] {
  const groups: T[][] = [];
  let reports = 0;
  for (const count of counts) {
    const group = groups.at(-1);
    reports += count.reports;
    if (group !== undefined && reports <= maxReports && group.length < maxStations) group.push(count);
    else {
      groups.push([count]);
      reports = count.reports;
    }
  }
  return groups;
}

export function countReports(counts: readonly { readonly reports: number }[]): number {
  return counts.reduce((total, { reports }) => total + reports, 0);
}
