import type { Repair } from './repair.ts';
import { anyOf } from './respelling.ts';

/**
 * An extra character between two whole groups, or after one: `01023KTL8000`, `FEW045@28/01`, `02/01N`. It is dropped
 * only where the groups on both sides are complete and the character cannot belong to either: no figure, no M or P
 * (less than, more than, minus), and after a layer no letter, because it may be the rest of CB or TCU.
 */
const STRAY: readonly RegExp[] = [
  /^((?:\d{5}|VRB\d\d)(?:G\d\d)?(?:KT|MPS))[A-LNOQ-Z?@](\d{4}|\d{3}V\d{3}|CAVOK)$/,
  /^(\d{3}V\d{3})[A-LNOQ-Z?@](\d{4})$/,
  /^(NSC|SKC|CLR|NCD)[A-LNOQ-Z?@](M?\d\d\/M?\d\d)$/,
  /^((?:FEW|SCT|BKN|OVC)\d{3}(?:CB|TCU)?)[?@](M?\d\d\/M?\d\d)$/,
  /^(M?\d\d\/M?\d\d)[?@](Q\d{4})$/,
  /^(Q\d{4})[?@](A\d{4})$/,
  /^(M?\d\d\/M?\d\d)[A-LNOQ-Z]$/,
];

const ANY_STRAY = anyOf(STRAY);

export function dropStray(token: string): Repair | undefined {
  if (!ANY_STRAY.test(token)) return undefined;
  for (const pattern of STRAY) {
    const [, text, rest] = pattern.exec(token) ?? [];
    if (text !== undefined) return rest === undefined ? { text, taken: 1 } : { text, taken: 1, rest };
  }
  return undefined;
}
