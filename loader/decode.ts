import type { Decoded } from '../clickhouse/model/fields.ts';
import { readBody } from './decode/body.ts';
import { checkConsistency } from './decode/consistency.ts';
import { type Fields, presentFields } from './decode/fields.ts';
import { flightCategory } from './decode/flight-category.ts';
import { isMissingReport, readHeader, takeMaintenanceSign } from './decode/header.ts';
import { newParseState } from './decode/parse-state.ts';
import { tokensOf } from './decode/tokens.ts';

/** Raise it whenever `decode` returns something different, so that older records can be decoded again. */
export const DECODER_VERSION = 6;

/**
 * Reads one METAR or SPECI. `unexplained` lists what no rule accounts for or what contradicts an earlier group of the
 * body, and `<no station>` or `<no time>` where they are missing; empty means parsed cleanly (D8). Total and pure:
 * accepts any text, in time proportional to its length.
 */
export function decode(raw: string): { readonly fields: Decoded; readonly unexplained: readonly string[] } {
  const { fields, unexplained } = decodeAll(raw);
  return { fields: presentFields(fields), unexplained };
}

/** The same with every key present, `undefined` if the report does not give the field: faster to create and read. */
export function decodeAll(raw: string): {
  readonly fields: Fields;
  readonly unexplained: readonly string[];
} {
  const state = newParseState(tokensOf(raw));
  const unexplained: string[] = [];
  takeMaintenanceSign(state);
  readHeader(state, unexplained);
  readBody(state, unexplained);
  if (isMissingReport(state)) state.fields.nil = true;
  if (state.hasBounds) checkConsistency(state, unexplained);
  state.fields.fltcat = flightCategory(state.fields);
  return { fields: state.fields, unexplained };
}
