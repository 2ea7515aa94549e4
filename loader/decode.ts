import type { Decoded } from '../clickhouse/report.ts';
import { readBody } from './decode/body.ts';
import { newDraft } from './decode/draft.ts';
import { given } from './decode/fields.ts';
import { flightCategory } from './decode/flight-category.ts';
import { readHeader, takeMaintenanceSign } from './decode/header.ts';
import { tokensOf } from './decode/tokens.ts';

/** Raise it with every change of what `decode` returns: records written by an older one can be decoded again. */
export const DECODER_VERSION = 1;

/**
 * Reads one METAR or SPECI. `unexplained` lists what no rule accounts for or what contradicts an earlier group
 * of the body, and `<no station>` or `<no time>` where they are missing; empty means parsed cleanly (D8).
 * Total and pure: any text is taken, in time proportional to its length.
 */
export function decode(raw: string): { readonly fields: Decoded; readonly unexplained: readonly string[] } {
  const draft = newDraft(tokensOf(raw));
  const unexplained: string[] = [];
  takeMaintenanceSign(draft);
  readHeader(draft, unexplained);
  readBody(draft, unexplained);
  draft.fields.fltcat = flightCategory(draft.fields);
  return { fields: given(draft.fields), unexplained };
}
