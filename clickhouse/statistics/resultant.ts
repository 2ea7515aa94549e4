import { fieldOf } from '../conditions/fields.ts';
import { numberFieldOf, numberSql } from './field-sql.ts';
import type { ResultantOf } from './question.ts';

/*
 * The mean wind vector (WMO-No. 8, volume I, chapter 5): of 350 and 010 degrees the mean direction is 0, not 180. Calm is a vector
 * without length, whatever its direction. A wind of variable direction is none (D66).
 */

const SPEED = numberSql(numberFieldOf('wspd_kt'));
const DIRECTION = numberSql(numberFieldOf('wdir'));

/** The part of the wind toward north or east; NULL where it is not known. */
function part(of: 'sin' | 'cos'): string {
  return `if(${SPEED} = 0, 0, ${SPEED} * ${of}(radians(${DIRECTION})))`;
}

/**
 * @param counted SQL of a value of the rows that count
 * @returns a direction from 0 to below 360 degrees, absent where the winds cancel out; a speed in knots; or how many winds were of
 * variable direction
 */
export function resultantSql(of: ResultantOf, counted: (value: string) => string): string {
  if (of === 'variable') {
    const isVariable = counted(`toNullable(${fieldOf('wdir_vrb').sql} AND ${SPEED} > 0)`);
    return `if(count(${counted(SPEED)}) = 0, NULL, toUInt32(countIf(${isVariable})))`;
  }
  // Sines of opposite winds add up to about 1e-16. + 0: no direction is -0.
  const [east, north] = (['sin', 'cos'] as const).map((each) => `round(avg(${counted(part(each))}), 12) + 0`);
  const length = `(hypot((${east}) AS _east, (${north}) AS _north) AS _length)`;
  if (of === 'speed') return length;
  const degrees = '(degrees(atan2(_east, _north)) AS _degrees)';
  return `if(${length} = 0, NULL, if(${degrees} < 0, _degrees + 360, _degrees))`;
}
