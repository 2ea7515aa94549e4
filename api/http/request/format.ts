import type { Context } from 'koa';
import { Problem } from '../../problem.ts';

/** The media type of each format of an endpoint, by the extension of its path. The first format is the default. */
export type MediaTypes = Readonly<Record<string, string>>;

/** The format that the extension of the path names, else the one that `Accept` prefers. */
export function chooseFormat<Types extends MediaTypes>(
  ctx: Context,
  mediaTypes: Types,
): keyof Types & string {
  const formats = Object.entries(mediaTypes) as readonly (readonly [keyof Types & string, string])[];
  const types = Object.values(mediaTypes);
  const [named] = formats.find(([format]) => ctx.path.endsWith(`.${format}`)) ?? [];
  if (named !== undefined) return named;
  const accepted =
    ctx.get('Accept').trim() === ''
      ? types[0]
      : // Clients add a charset even to types without that parameter.
        ctx.accepts(types.flatMap((type) => [type, `${type}; charset=utf-8`]));
  const [format] = formats.find(([, type]) => accepted && accepted.split(';')[0] === type) ?? [];
  if (format !== undefined) return format;
  const allTypes = [types.slice(0, -1).join(', '), types.at(-1)].filter(Boolean).join(' or ');
  throw new Problem('not_acceptable', `This endpoint responds with ${allTypes}.`);
}
