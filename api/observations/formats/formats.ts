import type { Context } from 'koa';
import type { StreamFormat } from '../../../clickhouse/observations/stream/output-formats.ts';
import { Problem } from '../../problem.ts';

/** The formats of an answer with their media types (D33). The first one is the default. */
export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
} as const satisfies Readonly<Record<'json' | StreamFormat, string>>;

export type Format = keyof typeof MEDIA_TYPES;

export const FORMATS = Object.keys(MEDIA_TYPES) as readonly Format[];

/** Each media type as `Accept` may name it: clients send a charset also where the type has no such parameter. */
const FORMAT_OF_TYPE = new Map(
  FORMATS.flatMap((format) =>
    ['', '; charset=utf-8'].map((charset) => [MEDIA_TYPES[format] + charset, format]),
  ),
);

/** The path in every format: as it is, and with the extension of each format. */
export function pathsWithExtensions(path: string): readonly string[] {
  return [path, ...FORMATS.map((format) => `${path}.${format}`)];
}

/** The format that the extension of the path names, else the one that `Accept` prefers. */
export function chooseFormat(ctx: Context): Format {
  const named = FORMATS.find((format) => ctx.path.endsWith(`.${format}`));
  if (named !== undefined) return named;
  if (ctx.get('Accept').trim() === '') return 'json';
  const accepted = ctx.accepts([...FORMAT_OF_TYPE.keys()]);
  const format = accepted === false ? undefined : FORMAT_OF_TYPE.get(accepted);
  if (format !== undefined) return format;
  const types = Object.values(MEDIA_TYPES);
  throw new Problem(
    'not_acceptable',
    `This endpoint responds with ${types.slice(0, -1).join(', ')} or ${types.at(-1)}.`,
  );
}
