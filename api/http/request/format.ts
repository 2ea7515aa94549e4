import type { Context } from 'koa';
import { Problem } from '../../problem.ts';

/** The media type of each format of an endpoint, by the extension of its path. The first format is the default. */
export type MediaTypes = Readonly<Record<string, string>>;

/** Chooses the format that the extension of the path names, else the one that `Accept` prefers. */
export function formatChooser<Types extends MediaTypes>(
  mediaTypes: Types,
): (ctx: Context) => keyof Types & string {
  const formats = Object.entries(mediaTypes) as readonly (readonly [keyof Types & string, string])[];
  /** Each media type as `Accept` may name it: clients add a charset even to types without that parameter. */
  const formatOfType = new Map(
    formats.flatMap(([format, type]) => [
      [type, format],
      [`${type}; charset=utf-8`, format],
    ]),
  );
  const types = Object.values(mediaTypes);
  const allTypes = [types.slice(0, -1).join(', '), types.at(-1)].filter(Boolean).join(' or ');

  return (ctx) => {
    const [named] = formats.find(([format]) => ctx.path.endsWith(`.${format}`)) ?? [];
    if (named !== undefined) return named;
    const accepted = ctx.get('Accept').trim() === '' ? types[0] : ctx.accepts([...formatOfType.keys()]);
    const format = formatOfType.get(accepted || '');
    if (format !== undefined) return format;
    throw new Problem('not_acceptable', `This endpoint responds with ${allTypes}.`);
  };
}
