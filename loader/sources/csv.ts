/** Returns the values of one line of CSV (RFC 4180). A quoted value has `""` for a quote; it may not hold a line end. */
export function parseCsvLine(line: string): readonly string[] {
  const values: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      let value = '';
      let from = at + 1;
      let end = line.indexOf('"', from);
      while (end >= 0 && line[end + 1] === '"') {
        value += line.slice(from, end + 1);
        from = end + 2;
        end = line.indexOf('"', from);
      }
      if (end < 0) end = line.length;
      values.push(value + line.slice(from, end));
      at = end + 1;
    } else {
      const end = line.indexOf(',', at);
      values.push(line.slice(at, end < 0 ? line.length : end));
      at = end < 0 ? line.length : end;
    }
    if (at >= line.length) return values;
    at += 1;
    if (at === line.length) return [...values, ''];
  }
}

/** The positions of the named columns, from 0; -1 if an optional one is missing. */
export type Columns<Name extends string> = Readonly<Record<Name, number>>;

/** Finds columns by the names in a header; `undefined` where a required one is missing: the line is no header. */
export function findColumns<Name extends string>(
  header: readonly string[],
  required: readonly Name[],
  optional: readonly Name[] = [],
): Columns<Name> | undefined {
  if (required.some((name) => !header.includes(name))) return undefined;
  return Object.fromEntries(
    [...required, ...optional].map((name) => [name, header.indexOf(name)]),
  ) as Columns<Name>;
}
