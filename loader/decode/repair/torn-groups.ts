import type { ParseState } from '../parse-state.ts';
import type { Repair } from './repair.ts';
import { anyOf, spelled } from './respelling.ts';

/** Groups split anywhere. At least two characters follow the blank: one figure may belong to another report. */
const TORN_ANYWHERE: readonly RegExp[] = [
  /^(?:\d{5}|VRB\d\d)(?:G\d\d)?(?:KT|MPS|KTS)$/,
  /^\d{3}V\d{3}$/,
  /^(?:FEW|SCT|BKN|OVC)\d{3}(?:CB|TCU)?$/,
  /^M?\d\d\/M?\d\d$/,
  /^(?:CAVOK|TEMPO|BECMG|NOSIG)$/,
];

const ANY_TORN_ANYWHERE = anyOf(TORN_ANYWHERE);

/** Groups split at one place: `QNH 1012`, `FEW CB018`, `10 SM`, `VC SH`, `RE RA`. */
const TORN: readonly RegExp[] = [
  /^(?:QNH|Q|A) \d{4}(?:HPA|MB)?$/,
  /^A \d\d\.\d\d$/,
  /^Q [89]\d\d$/,
  /^Q\d \d{3}$/,
  /^Q\d\d \d\d$/,
  /^(?:FEW|SCT|BKN|OVC) [(]?(?:CB|TCU)[)]?\d{3}$/,
  /^\d{1,2} (?:SM|KM)$/,
  /^VC (?:SH|TS|FG|RA|DZ|BLDU|BLSA)$/,
  /^RE [+-]?(?:[A-Z]{2}){1,3}$/,
  /^R E(?:[A-Z]{2}){1,3}$/,
  /^NOSI G$/,
  /^RM K$/,
];

const ANY_TORN = anyOf(TORN);

/** An amount, type and height split apart: `FEW CB 018`, `FEW (CB) 018`. */
const TORN_LAYER = /^(FEW|SCT|BKN|OVC) \(?(CB|TCU)\)? (\d{3})$/;

/** A split pressure with the remarks run into it: `Q1 007RMK`. */
const TORN_BEFORE_REMARKS = /^(Q\d|Q\d\d) (\d{2,3})(RMK)$/;

/** Words sent letter by letter. */
const SPACED = ['CAVOK', 'NOSIG', 'SKC', 'NSC', 'CLR', 'NIL'];

/** Intensity in words before the weather (ICAO Doc 8400): feeble, moderate, heavy. */
const INTENSITY: Readonly<Record<string, string>> = { FBL: '-', MOD: '', HVY: '+' };

export function joinTorn(token: string, { tokens, at, temperature }: ParseState): Repair | undefined {
  const next = tokens[at + 1];
  if (next === undefined || token.length > 8 || next.length > 7) return undefined;
  if (token.length === 1 && next.length === 1) {
    const word = SPACED.find((name) => tokens.slice(at, at + name.length).join('') === name);
    return word === undefined ? undefined : { text: word, taken: word.length };
  }
  const sign = INTENSITY[token];
  if (sign !== undefined && temperature === '') return { text: sign + next, taken: 2 };
  const [, cover, type, height] = TORN_LAYER.exec(`${token} ${next} ${tokens[at + 2] ?? ''}`) ?? [];
  if (cover !== undefined) return { text: `${cover}${height}${type}`, taken: 3 };
  const [, front, back, rest] = TORN_BEFORE_REMARKS.exec(`${token} ${next}`) ?? [];
  if (front !== undefined && rest !== undefined) return { text: `${front}${back}`, taken: 2, rest };
  if (next.length > 1 && ANY_TORN_ANYWHERE.test(token + next)) return { text: token + next, taken: 2 };
  if (ANY_TORN.test(`${token} ${next}`)) return { text: spelled(token + next) ?? token + next, taken: 2 };
  return undefined;
}
