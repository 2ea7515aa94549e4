/**
 * Of several reports of one station, type and minute, hourly series and statistics count one: a correction before what
 * it corrects (`COR`, then `CCA`, `CCB`, …), else the more faithful source's, else the longer text.
 */
export const BEST_OF_MINUTE = {
  /** What this reads of each report: of the text, only its length. */
  columns: [
    'ifNull(cor, 0) + ifNull(cor_number, 0) AS correction',
    'bitShiftRight(version, 16) AS faithfulness',
    'text.size AS textLength',
  ],
  /** The best first; never arbitrary. */
  order: 'correction DESC, faithfulness DESC, textLength DESC, fingerprint',
} as const;
