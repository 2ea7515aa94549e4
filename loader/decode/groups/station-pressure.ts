import { digits, endOfDigits } from '../characters.ts';
import { isWithin, LIMITS } from '../limits.ts';
import type { ParseState, Verdict } from '../parse-state.ts';
import { tenth } from './pressure.ts';

/**
 * QFE, the pressure at the aerodrome's own level, which some countries send as well: QFE747, QFE753/1005, QFE0998,
 * QFE907.1, QFE982/0. The former Soviet Union and Mongolia give millimeters of mercury, with the hectopascals after a
 * solidus in newer reports; others give hectopascals.
 */

const HPA_PER_MMHG = 1.333224;
/** No aerodrome has 820 mm of mercury, 1093 hPa: from here up it can only be hectopascals. */
const HIGHEST_MMHG = 820;

const usesMillimetres = (station: string): boolean =>
  station[0] === 'U' || station.startsWith('ZM') || station.startsWith('EV') || station.startsWith('LU');

/** Reads the QFE at `start`; false if there is none. A missing value (QFE////) counts as read. */
export function readQfe(token: string, start: number, state: ParseState): boolean {
  const end = endOfDigits(token, start);
  if (end === start) return token[start] === '/';
  if (end - start !== 3 && end - start !== 4) return false;
  let value = digits(token, start, end);
  const behind = endOfDigits(token, end + 1);
  const width = behind - end - 1;
  if (end < token.length) {
    if ((token[end] !== '.' && token[end] !== '/') || width < 1 || width > 4) return false;
    const second = digits(token, end + 1, behind);
    if (width >= 3) return keepQfe(second, state);
    value += second / 10 ** width;
  }
  return keepQfe(
    value < HIGHEST_MMHG && usesMillimetres(state.station) ? value * HPA_PER_MMHG : value,
    state,
  );
}

function keepQfe(hectopascals: number, state: ParseState): boolean {
  if (!isWithin(LIMITS.qfe, hectopascals)) return false;
  state.fields.qfe_hpa ??= tenth(hectopascals);
  return true;
}

/** QFE in the body (Guatemala: `QFE907.1`, `QFE 987.7`, `QFE982/0`), and QFF, the pressure at sea level. */
export function readBodyQfe(token: string, state: ParseState): Verdict {
  if (token === 'QFE') {
    if (!readQfe(state.tokens[state.at + 1] ?? '', 0, state)) return undefined;
    state.at += 1;
    return 'explained';
  }
  if (token.startsWith('QFE') && readQfe(token, 3, state)) return 'explained';
  return token.length === 7 && token.startsWith('QFF') && digits(token, 3, 7) !== -1
    ? 'explained'
    : undefined;
}

/** Iran and Afghanistan add station pressure after the altimeter without a letter: `A3017 872.14`, `A3021 885/5`. */
export function readBareQfe(token: string, state: ParseState): Verdict {
  const point = token[3] === '/' ? 3 : token.indexOf('.');
  const { altim_hpa } = state.fields;
  if (state.station[0] !== 'O' || altim_hpa === undefined || (point !== 3 && point !== 4)) return undefined;
  const decimals = token.length - point - 1;
  if (digits(token, 0, point) === -1 || decimals < 1 || decimals > 2) return undefined;
  if (digits(token, point + 1, token.length) === -1) return undefined;
  const value = Number(token.replace('/', '.'));
  // An aerodrome above sea level has less pressure than its QNH; those below are a few meters deep.
  if (!isWithin(LIMITS.qfe, value) || value > altim_hpa + 5) return undefined;
  state.fields.qfe_hpa ??= tenth(value);
  return 'explained';
}
