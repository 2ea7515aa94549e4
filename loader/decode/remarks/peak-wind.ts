import { digits, endOfDigits } from '../characters.ts';
import { isWithin, LIMITS } from '../limits.ts';
import type { ParseState } from '../parse-state.ts';

/** Peak wind PK WND dddff(f)/(hh)mm in knots (FMH-1, 12.7.1). Without an hour, the latest such minute is meant. */

/** @param word `PK`, which WND follows, or both in one */
export function readPeakWind(word: string, state: ParseState): void {
  if (word === 'PK' && state.tokens[state.at + 1] !== 'WND') return;
  const ahead = word === 'PK' ? 2 : 1;
  const token = state.tokens[state.at + ahead] ?? '';
  const solidus = endOfDigits(token, 0);
  if ((solidus !== 5 && solidus !== 6) || token[solidus] !== '/') return;
  const direction = digits(token, 0, 3);
  const speed = digits(token, 3, solidus);
  const time = timeFrom(token, solidus + 1, state);
  if (!isWithin(LIMITS.peakWindDirection, direction) || !isWithin(LIMITS.gust, speed)) return;
  if (time === undefined) return;
  state.at += ahead;
  state.hasBounds = true;
  const { fields } = state;
  if (fields.pk_wspd_kt !== undefined) return;
  fields.pk_wdir = direction;
  fields.pk_wspd_kt = speed;
  if (time !== '') fields.pk_time = time;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** "hhmm"; empty where only minutes are given and the report has no time of its own. */
function timeFrom(token: string, start: number, { hour, minute }: ParseState): string | undefined {
  const width = token.length - start;
  if (width === 4) {
    const peakHour = digits(token, start, start + 2);
    const peakMinute = digits(token, start + 2, start + 4);
    if (peakHour < 0 || peakHour > 23 || peakMinute < 0 || peakMinute > 59) return undefined;
    return token.slice(start);
  }
  if (width !== 2) return undefined;
  const peakMinute = digits(token, start, start + 2);
  if (peakMinute < 0 || peakMinute > 59) return undefined;
  if (hour === -1) return '';
  return two(peakMinute <= minute ? hour : (hour + 23) % 24) + two(peakMinute);
}
