/**
 * The fingerprint of most texts, as SQL over `raw`: the first 4 bytes of the SHA-256 of the text without its keyword
 * and its end. A file states a fingerprint only if it differs: it would be an eighth of the file and cannot be
 * compressed.
 */
export function usualFingerprint(raw: string): string {
  const report = `if(startsWith(${raw}, 'METAR ') OR startsWith(${raw}, 'SPECI '), substring(${raw}, 7), ${raw})`;
  return `reinterpretAsUInt32(reverse(substring(SHA256(substring(trimRight(${report}, '=$ '), 1, 200)), 1, 4)))`;
}

/** What a file states of the report `report` of an archive. */
export const STATED_FINGERPRINT = `nullIf(report.fingerprint, ${usualFingerprint('report.raw')})`;

/** The fingerprint of a row of a file. */
export function fingerprintOf(row: string): string {
  return `ifNull(${row}.fingerprint, ${usualFingerprint(`${row}.raw`)})`;
}
