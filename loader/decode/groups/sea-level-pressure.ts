import { digits } from '../characters.ts';
import { isWithin, LIMITS } from '../limits.ts';
import type { ParseState } from '../parse-state.ts';
import { tenth } from './pressure.ts';

/** Without an altimeter: 945.0 to 1044.9 hPa covers all but the rarest pressures. */
const MIDDLE_OF_ALL_HPA = 995;

/** The hundreds are not sent: of 9pp.p and 10pp.p, the one nearer to the altimeter is meant. */
export function keepSeaLevelPressure(token: string, state: ParseState): boolean {
  const { fields } = state;
  if (token.length !== 6 || fields.slp_hpa !== undefined) return false;
  const tenths = digits(token, 3, 6);
  if (tenths === -1) return false;
  const low = 900 + tenths / 10;
  const high = 1000 + tenths / 10;
  const near = fields.altim_hpa ?? MIDDLE_OF_ALL_HPA;
  const value = Math.abs(low - near) < Math.abs(high - near) ? low : high;
  if (!isWithin(LIMITS.qnh, value)) return false;
  if (fields.altim_hpa !== undefined && !isWithin(LIMITS.qnhToSeaLevel, Math.abs(value - near))) return false;
  fields.slp_hpa = tenth(value);
  // The altimeter may follow.
  if (fields.altim_hpa === undefined) state.hasBounds = true;
  return true;
}
