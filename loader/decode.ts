import { ceiling, lowestKnownCeiling } from '../clickhouse/model/derived-fields.ts';
import type { Decoded } from '../clickhouse/model/fields.ts';
import { readBody } from './decode/body.ts';
import { checkConsistency } from './decode/consistency.ts';
import { METERS_PER_STATUTE_MILE } from './decode/groups/visibility.ts';
import { inCapitals, isMissingReport, readHeader, takeMaintenanceSign } from './decode/header.ts';
import { type Fields, newParseState, tokensOf } from './decode/parse-state.ts';

/** Raise it whenever `decode` returns something different, so that older records can be decoded again. */
export const DECODER_VERSION = 17;

/**
 * Reads one METAR or SPECI. `unexplained` lists what no rule accounts for or what contradicts an earlier group of the
 * body, and `<no station>` or `<no time>` where they are missing; empty means parsed cleanly (D8). Total and pure:
 * accepts any text, in time proportional to its length.
 */
export function decode(raw: string): { readonly fields: Decoded; readonly unexplained: readonly string[] } {
  const { fields, unexplained } = decodeAll(raw);
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { fields: Object.fromEntries(present) as Decoded, unexplained };
}

/** The same with every key present, `undefined` if the report does not give the field: faster to create and read. */
export function decodeAll(raw: string): { readonly fields: Fields; readonly unexplained: readonly string[] } {
  const state = newParseState(tokensOf(raw));
  const unexplained: string[] = [];
  const needsMaintenance = takeMaintenanceSign(state);
  readHeader(state, unexplained);
  const capitals = state.hour === -1 ? inCapitals(raw) : raw;
  if (capitals !== raw) return decodeAll(capitals);
  state.headerEnd = state.at;
  readBody(state, unexplained);
  // If a second report follows in the line, the sign belongs to that one.
  if (needsMaintenance && state.at >= state.tokens.length) state.fields.maint = true;
  if (isMissingReport(state)) state.fields.nil = true;
  checkConsistency(state, unexplained);
  state.fields.fltcat = flightCategory(state.fields);
  return { fields: state.fields, unexplained };
}

/**
 * Flight category as defined by the National Weather Service (Instruction 10-813; as the Aviation Weather Center prints
 * it): the worse of ceiling and visibility decides. The ceiling is the lowest broken or overcast layer or the vertical
 * visibility. If one of the two is unknown, the other decides only if nothing could be worse.
 */
function flightCategory(fields: Fields): Decoded['fltcat'] {
  if (fields.cavok) return 'VFR';
  const { visib_m, visib_sm = visib_m === undefined ? undefined : visib_m / METERS_PER_STATUTE_MILE } =
    fields;
  const feet = ceiling(fields);
  if ((visib_sm ?? 1) < 1 || (feet ?? lowestKnownCeiling(fields)) < 500) return 'LIFR';
  if (feet === undefined || visib_sm === undefined) return undefined;
  if (feet < 1000 || visib_sm < 3) return 'IFR';
  return feet <= 3000 || visib_sm <= 5 ? 'MVFR' : 'VFR';
}
