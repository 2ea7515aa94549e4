/** A column of figures alone is aligned to the right. */
const FIGURES = /^([\d.,×–≥≤* +-]|ms|µs|MB|bytes|errors|statements|a second|\bs)*$/;

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const isNumeric = (column: number) => rows.every((row) => FIGURES.test(row[column] ?? ''));
  const rule = header.map((_, column) => (column > 0 && isNumeric(column) ? '---:' : '---'));
  return [header, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Milliseconds; a tenth is below the noise from 100 ms on. */
export function formatMs(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 0)} ×`;
}
