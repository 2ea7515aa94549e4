import { writeFile } from 'node:fs/promises';
import { formatMs, formatRatio, table } from './markdown.ts';

/** A figure of one run on one machine. What the service has to reach is, as far as possible, a ratio within the run. */
export type Figure = {
  readonly what: string;
  readonly measured: number;
  readonly unit: '×' | 'ms' | 's' | 'µs' | 'MB' | 'bytes' | 'errors' | 'a second';
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Figures next to it, or the query that is furthest from what is asked. */
  readonly detail?: string;
};

export type Section = {
  readonly title: string;
  readonly about?: string;
  readonly figures: readonly Figure[];
};

/** What a benchmark returns: what it measured on, and the figures. */
export type Results = { readonly about: string; readonly sections: readonly Section[] };

/** Prints the results as Markdown, and writes them to files: as Markdown (`--write`), and as JSON (`--json`). */
export async function publish(
  command: string,
  { about, sections }: Results,
  files: { readonly write?: string | undefined; readonly json?: string | undefined },
): Promise<void> {
  const parts = [`# npm run bench -- ${command}`, about, ...sections.map(sectionText)];
  const text = `${parts.join('\n\n')}\n`;
  process.stdout.write(text);
  if (files.write !== undefined) await writeFile(files.write, text);
  if (files.json !== undefined)
    await writeFile(files.json, `${JSON.stringify({ command, about, sections }, undefined, 1)}\n`);
}

function sectionText({ title, about, figures }: Section): string {
  const rows = figures.map((figure) => [
    figure.what,
    measuredText(figure),
    askedText(figure),
    figure.detail ?? '',
  ]);
  return [
    `## ${title}`,
    ...(about === undefined ? [] : [about]),
    table(['what', 'measured', 'asked', 'detail'], rows),
  ].join('\n\n');
}

function measuredText({ measured, unit }: Figure): string {
  if (unit === '×') return formatRatio(measured);
  if (unit === 'a second') return `${Math.round(measured).toLocaleString('en')} ${unit}`;
  return `${unit === 'errors' ? measured : formatMs(measured)} ${unit}`;
}

function askedText({ measured, atMost, atLeast }: Figure): string {
  if (atMost !== undefined) return measured <= atMost ? `≤ ${atMost}` : `**≤ ${atMost}**`;
  if (atLeast !== undefined) return measured >= atLeast ? `≥ ${atLeast}` : `**≥ ${atLeast}**`;
  return '';
}

/** The figure of the value that is furthest from what is asked; none where there is no value. */
export function worst<T>(
  values: readonly T[],
  ratio: (value: T) => number,
  figure: Omit<Figure, 'measured' | 'unit' | 'detail'>,
  detail: (value: T) => string,
): readonly Figure[] {
  const sorted = values.toSorted((a, b) => ratio(a) - ratio(b));
  const found = figure.atLeast === undefined ? sorted.at(-1) : sorted[0];
  return found === undefined ? [] : [{ ...figure, measured: ratio(found), unit: '×', detail: detail(found) }];
}
