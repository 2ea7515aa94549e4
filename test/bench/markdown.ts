import { writeFile } from 'node:fs/promises';

/** A table of Markdown; figures are set to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const isFigure = (column: number) =>
    rows.every((row) => /^([\d.,×– +-]|ms|no|yes)*$/.test(row[column] ?? ''));
  const rule = header.map((_, column) => (column > 0 && isFigure(column) ? '---:' : '---'));
  return [header, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

export function section(title: string, ...parts: readonly string[]): string {
  return [`## ${title}`, ...parts].join('\n\n');
}

/** Milliseconds with as many digits as they deserve. */
export function ms(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

export function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 0)} ×`;
}

/** Prints the document, and writes it to the file where one is named. */
export async function finish(file: string | undefined, parts: readonly string[]): Promise<void> {
  const text = `${parts.join('\n\n')}\n`;
  process.stdout.write(text);
  if (file !== undefined) await writeFile(file, text);
}
