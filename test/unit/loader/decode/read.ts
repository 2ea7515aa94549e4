import type { Decoded } from '../../../../clickhouse/model/fields.ts';
import { decode } from '../../../../loader/decode.ts';

/** Decodes a main synoptic report that begins with a plain header, so that a test shows only the group it is about. */
export const read = (body: string, station = 'EGLL') => decode(`${station} 141150Z ${body}`);

/** The named fields of a report that must decode cleanly. */
export function fieldsOf<Name extends keyof Decoded>(body: string, names: readonly Name[], station?: string) {
  const { fields, unexplained } = read(body, station);
  if (unexplained.length > 0) throw new Error(`unexplained: ${unexplained.join(' ')}`);
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
