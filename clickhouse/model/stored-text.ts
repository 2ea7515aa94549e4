/**
 * Replaces station and time in a stored text. No report has a control character. It has the same length, so the size of
 * a stored text, which can be read without the text, is that of the report.
 */
const MARK = '\u0001'.repeat('CYYZ 011251Z'.length);
const MARK_SQL = `repeat('\\x01', ${MARK.length})`;

const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));

/**
 * The stored text of a report: without station and time, `CYYZ 011251Z`, which are in other columns and would take 6 of
 * a report's 76 bytes.
 */
export function storedText(raw: string, station: string, observedAt: number): string {
  const time = new Date(observedAt * 1000);
  const [day, hour, minute] = [time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes()];
  return raw.replace(`${station} ${TWO_DIGITS[day]}${TWO_DIGITS[hour]}${TWO_DIGITS[minute]}Z`, MARK);
}

/** The same in SQL: expressions over a text, a station and a time. */
export function storedTextSql(raw: string, station: string, observedAt: string): string {
  return `replaceOne(${raw}, ${stationAndTime(station, observedAt)}, ${MARK_SQL})`;
}

/** The text of the report over a row of `observations`. */
export const RAW = `replaceOne(text, ${MARK_SQL}, ${stationAndTime('station', 'observedAt')})`;

function stationAndTime(station: string, observedAt: string): string {
  return `concat(${station}, ' ', formatDateTime(${observedAt}, '%d%H%iZ'))`;
}
