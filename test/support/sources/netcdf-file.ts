/** A record variable: a number, or a text of this width. */
export type NetcdfVariable = { readonly name: string; readonly width?: number };
export type NetcdfRecord = Readonly<Record<string, string | number | Buffer>>;

const [DIMENSIONS, VARIABLES, CHAR, DOUBLE] = [10, 11, 2, 6] as const;

/**
 * A file of classic NetCDF (CDF-1) whose variables are `char(records, width)` or `double(records)`. Texts are cut at their
 * width and filled up with NUL.
 */
export function netcdfFile(variables: readonly NetcdfVariable[], records: readonly NetcdfRecord[]): Buffer {
  const texts = variables.filter(({ width }) => width !== undefined);
  const sizes = variables.map(({ width = 8 }) => Math.ceil(width / 4) * 4);
  const header = (begin: number) => {
    let offset = begin;
    const dimensions = [
      number(DIMENSIONS, texts.length + 1),
      name('recNum'),
      number(0),
      ...texts.flatMap((text) => [name(`${text.name}Len`), number(text.width ?? 0)]),
    ];
    const described = variables.flatMap((variable, at) => {
      const isText = variable.width !== undefined;
      const ids = isText ? [0, texts.indexOf(variable) + 1] : [0];
      const parts = [
        name(variable.name),
        number(ids.length, ...ids, 0, 0, isText ? CHAR : DOUBLE, sizes[at] ?? 0, offset),
      ];
      offset += sizes[at] ?? 0;
      return parts;
    });
    return Buffer.concat([
      Buffer.from('CDF\x01', 'latin1'),
      number(records.length),
      ...dimensions,
      number(0, 0, VARIABLES, variables.length),
      ...described,
    ]);
  };
  const rows = records.flatMap((record) =>
    variables.map((variable, at) => {
      const bytes = Buffer.alloc(sizes[at] ?? 0);
      const value = record[variable.name] ?? '';
      if (typeof value === 'number') bytes.writeDoubleBE(value);
      else Buffer.from(value as string, 'latin1').copy(bytes, 0, 0, variable.width);
      return bytes;
    }),
  );
  return Buffer.concat([header(header(0).length), ...rows]);
}

function number(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

function name(text: string): Buffer {
  const bytes = Buffer.alloc(Math.ceil(text.length / 4) * 4);
  bytes.write(text, 'latin1');
  return Buffer.concat([number(text.length), bytes]);
}
