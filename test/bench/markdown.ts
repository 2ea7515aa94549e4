import { writeFile } from 'node:fs/promises';

/** A column of figures alone is aligned to the right. */
const FIGURES = /^([\d.,×– +-]|ms|MB|errors|statements)*$/;

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const isNumeric = (column: number) => rows.every((row) => FIGURES.test(row[column] ?? ''));
  const rule = header.map((_, column) => (column > 0 && isNumeric(column) ? '---:' : '---'));
  return [header, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

export function section(title: string, ...parts: readonly string[]): string {
  return [`## ${title}`, ...parts].join('\n\n');
}

/** Milliseconds; a tenth is below the noise from 100 ms on. */
export function formatMs(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 0)} ×`;
}

/** Prints the document, and writes it to `file` (option `--write`). */
export async function publish(file: string | undefined, parts: readonly string[]): Promise<void> {
  const text = `${parts.join('\n\n')}\n`;
  process.stdout.write(text);
  if (file !== undefined) await writeFile(file, text);
}
