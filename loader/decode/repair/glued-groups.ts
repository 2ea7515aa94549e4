import type { Repair } from './repair.ts';
import { anyOf } from './respelling.ts';

/** Groups run together; each pattern describes the first whole group, and the rest is read separately. */
const GLUED: readonly RegExp[] = [
  /^((?:\d{5}|VRB\d\d)(?:G\d\d)?(?:KT|MPS))(\d{4,5}|CAVOK|\d{3}V\d{3}|\d{1,2}SM)$/,
  /^(AUTO)((?:\d{5}|VRB\d\d|\/{5}).*)$/,
  /^((?:FEW|SCT|BKN|OVC)\d{3}(?:CB|TCU)?|NSC|SKC|CLR|NCD|CAVOK)((?:FEW|SCT|BKN|OVC|M?\d\d\/).*)$/,
  /^(\d{1,2}SM|\d\/\d{1,2}SM)((?:[-+]|FEW|SCT|BKN|OVC|CLR|SKC|RA|SN|BR|HZ|FG).*)$/,
  /^(\d{4})((?:FEW|SCT|BKN|OVC|NSC|SKC|VV)\d*.*)$/,
  // NIL for no weather (Indonesia): 7000NIL, NILSCT018.
  /^(\d{4}|NIL)(NIL|(?:FEW|SCT|BKN|OVC)\d{3}.*|NILSCT\d{3}.*)$/,
  /^(\d{4})([-+]?(?:VC)?(?:BR|HZ|FG|FU|RA|DZ|SN|TS|SH)[A-Z]*)$/,
  /^([-+]?TS)(-RA)$/,
  /^([-+]?(?:HZ|BR|FG|FU|DZ|RA|SHRA|SN|DU|SA))\/([-+]?(?:HZ|BR|FG|FU|DZ|RA|SHRA|SN|DU|SA))$/,
  // Weather begins with its sign and its descriptor: -SNBLSN and BCFG-BR are two groups.
  /^([-+]?(?:SN|RA|DZ))((?:BL|DR)SN|(?:BC|FZ|MI|PR)FG)$/,
  /^([-+]?(?:[A-Z]{2}){1,3})([-+](?:[A-Z]{2}){1,3})$/,
  /^(R\d\d[LCR]?\/[PM]?\d{4}(?:V[PM]?\d{4})?(?:FT)?[UDN]?)(R\d\d.*)$/,
  /^(M?\d\d\/M?\d\d)([QA]\d{4}.*)$/,
  /^(Q\d{4}|A\d{4})(\/?[QA]\d{4}\/?|[ON]*SIG|[A-Z][A-Z].*)$/,
  /^(Q\d{4}(?:\.\d)?)(\/\d\d\.\d\d)$/,
  /^(Q\d{4}|A\d{4})(R\d\d.*)$/,
  /^(BLU\+?|WHT|GRN)(FCST)$/,
  /^(NOSIG)[.:]?(RMK.*)$/,
  /^(NOSIG)[.:]([A-Z].*)$/,
  /^(TEMPO|BECMG)([-+][A-Z]{2}.*)$/,
];

const ANY_GLUED = anyOf(GLUED);

export function partGlued(token: string): Repair | undefined {
  if (!ANY_GLUED.test(token)) return undefined;
  for (const pattern of GLUED) {
    const [, first, rest] = pattern.exec(token) ?? [];
    if (first !== undefined && rest !== undefined) return { text: first, taken: 1, rest };
  }
  return undefined;
}
