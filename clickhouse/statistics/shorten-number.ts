const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const ONE = 49;
const FIVE = 53;
const NINE = 57;
const EXPONENT = 101;

/** Decimal places; of a number below 0.1, significant figures. */
const FIGURES = 6;

/**
 * Rounds a decimal number to six places, or below 0.1 to six significant figures, and drops the zeros at its end: a mean has up
 * to 17 figures. No field has more than four decimal places, so no value of a report changes. It works on the digits, because
 * to make a number of each and print it takes ten times as long.
 *
 * @param text the number from `begin` to before `end`, in place
 * @returns where it ends now
 */
export function shortenNumber(text: Uint8Array, begin: number, end: number): number {
  let [point, first] = [end, end];
  for (let at = begin; at < end; at += 1) {
    const character = text[at] as number;
    if (character === EXPONENT) return end;
    if (character === POINT) point = at;
    else if (first === end && character > ZERO) first = at;
  }
  const cut = Math.max(point + 1, first) + FIGURES;
  if (cut >= end) return end;
  let last = cut - 1;
  if ((text[cut] as number) >= FIVE) last += addOne(text, begin, last);
  while (text[last] === ZERO) last -= 1;
  return text[last] === POINT ? last : last + 1;
}

/** Adds one in the last place. Of nines alone, as in 9.999, the number gets one digit more: returns how many. */
function addOne(text: Uint8Array, begin: number, last: number): 0 | 1 {
  let at = last;
  for (; at >= begin && text[at] !== MINUS; at -= 1) {
    if (text[at] === POINT) continue;
    if (text[at] !== NINE) {
      text[at] = (text[at] as number) + 1;
      return 0;
    }
    text[at] = ZERO;
  }
  text.copyWithin(at + 2, at + 1, last + 1);
  text[at + 1] = ONE;
  return 1;
}
