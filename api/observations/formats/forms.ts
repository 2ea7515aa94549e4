import type { Context } from 'koa';
import type { StreamForm } from '../../../clickhouse/observations/stream/stream.ts';
import { Problem } from '../../http/problem.ts';

/** The forms of an answer with their media types (D33). The first one is the default. */
export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
} as const satisfies Readonly<Record<'json' | StreamForm, string>>;

export type Form = keyof typeof MEDIA_TYPES;

const FORMS = Object.keys(MEDIA_TYPES) as readonly Form[];

/** Each media type as `Accept` may name it: clients send a charset also where the type has no such parameter. */
const FORM_OF_TYPE = new Map(
  FORMS.flatMap((form) => ['', '; charset=utf-8'].map((charset) => [MEDIA_TYPES[form] + charset, form])),
);

/** The path in every form: as it is, and with the extension of each form. */
export function pathsWithExtensions(path: string): readonly string[] {
  return [path, ...FORMS.map((form) => `${path}.${form}`)];
}

/** The form that the extension of the path names, else the one that `Accept` prefers. */
export function chooseForm(ctx: Context): Form {
  const named = FORMS.find((form) => ctx.path.endsWith(`.${form}`));
  if (named !== undefined) return named;
  if (ctx.get('Accept').trim() === '') return 'json';
  const accepted = ctx.accepts([...FORM_OF_TYPE.keys()]);
  const form = accepted === false ? undefined : FORM_OF_TYPE.get(accepted);
  if (form !== undefined) return form;
  const types = Object.values(MEDIA_TYPES);
  throw new Problem(
    'not_acceptable',
    `This endpoint responds with ${types.slice(0, -1).join(', ')} or ${types.at(-1)}.`,
  );
}
