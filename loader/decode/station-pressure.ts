import { digits, endOfDigits } from './characters.ts';
import type { Draft } from './draft.ts';
import { tenth } from './pressure.ts';

/**
 * QFE, the pressure at the aerodrome's own level, which some countries send as well: QFE747, QFE753/1005,
 * QFE0998, QFE907.1, QFE982/0. The former Soviet Union and Mongolia give millimetres of mercury, with the
 * hectopascals behind a solidus in newer reports; others give hectopascals.
 */

const HPA_PER_MMHG = 1.333224;
const LOWEST_HPA = 500;
const HIGHEST_HPA = 1100;
/** No aerodrome has 820 mm of mercury, 1093 hPa: from here on it can only be hectopascals. */
const HIGHEST_MMHG = 820;

const usesMillimetres = (station: string): boolean =>
  station[0] === 'U' || station.startsWith('ZM') || station.startsWith('EV') || station.startsWith('LU');

/** Reads the QFE that begins at `start`; false where there is none. A missing value (QFE////) counts as read. */
export function readQfe(token: string, start: number, draft: Draft): boolean {
  const end = endOfDigits(token, start);
  if (end === start) return token[start] === '/';
  if (end - start !== 3 && end - start !== 4) return false;
  let value = digits(token, start, end);
  const behind = endOfDigits(token, end + 1);
  const width = behind - end - 1;
  if (end < token.length) {
    if ((token[end] !== '.' && token[end] !== '/') || width < 1 || width > 4) return false;
    const second = digits(token, end + 1, behind);
    if (width >= 3) return keepQfe(second, draft);
    value += second / 10 ** width;
  }
  return keepQfe(
    value < HIGHEST_MMHG && usesMillimetres(draft.station) ? value * HPA_PER_MMHG : value,
    draft,
  );
}

function keepQfe(hectopascals: number, draft: Draft): boolean {
  if (hectopascals < LOWEST_HPA || hectopascals > HIGHEST_HPA) return false;
  draft.fields.qfe_hpa ??= tenth(hectopascals);
  return true;
}
