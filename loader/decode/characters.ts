// Characters at a position of a group: faster and stricter than a regular expression and Number().

export const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
};

export const isLetter = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90;
};

/** The number in the digits from `start` up to `end`, or -1 if any is not a digit. */
export const digits = (text: string, start: number, end: number): number => {
  let value = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!(code >= 48 && code <= 57)) return -1;
    value = value * 10 + code - 48;
  }
  return value;
};

/** The end of the run of digits that begins at `start`. */
export const endOfDigits = (text: string, start: number): number => {
  let at = start;
  while (isDigit(text, at)) at++;
  return at;
};

/** Whether all characters from `start` up to `end` are solidi: the value is missing (WMO-No. 306 FM 15). */
export const isMissing = (text: string, start: number, end: number): boolean => {
  if (end > text.length) return false;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) !== 47) return false;
  return true;
};
