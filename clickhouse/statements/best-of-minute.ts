/**
 * Of several reports of one station, type and minute one counts in hourly series and statistics: a correction before what it
 * corrects (`COR`, then `CCA`, `CCB`, …), else the one of the more faithful source, else the longer text.
 */
export const BEST_OF_MINUTE = {
  /** What is read of each report for it: of the text its length alone. */
  columns: [
    'ifNull(cor, 0) + ifNull(cor_number, 0) AS correction',
    'bitShiftRight(version, 16) AS faithfulness',
    'text.size AS textLength',
  ],
  /** The best first, and never one by chance. */
  order: 'correction DESC, faithfulness DESC, textLength DESC, fingerprint',
} as const;
