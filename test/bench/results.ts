import { cpus, totalmem } from 'node:os';

/** A figure of one run on one machine. What the service has to reach is, as far as possible, a ratio within the run. */
export type Figure = {
  readonly what: string;
  readonly measured: number;
  readonly unit: '×' | 'ms' | 's' | 'µs' | 'MB' | 'bytes' | 'errors' | 'a second' | 'days' | 'mm';
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

/** The results of a command as Markdown. */
export function render({ command, about, sections }: Results & { readonly command: string }): string {
  const parts = sections.flatMap(({ title, about: method, figures }) => [
    `## ${title}`,
    ...(method === undefined ? [] : [method]),
    table(
      ['what', 'measured', 'asked', 'detail'],
      figures.map((figure) => [figure.what, measuredText(figure), askedText(figure), figure.detail ?? '']),
    ),
  ]);
  return `${[`# npm run bench -- ${command}`, about, ...parts].join('\n\n')}\n`;
}

function measuredText({ measured, unit }: Figure): string {
  if (unit === '×') return formatRatio(measured);
  if (unit === 'a second') return `${formatCount(Math.round(measured))} ${unit}`;
  return `${['errors', 'days'].includes(unit) ? measured : formatMs(measured)} ${unit}`;
}

function askedText({ measured, atMost, atLeast }: Figure): string {
  if (atMost !== undefined) return measured <= atMost ? `≤ ${atMost}` : `**≤ ${atMost}**`;
  if (atLeast !== undefined) return measured >= atLeast ? `≥ ${atLeast}` : `**≥ ${atLeast}**`;
  return '';
}

/** A column of figures alone is aligned to the right. */
const FIGURES = /^([\d.,×–≥≤* +-]|ms|µs|MB|bytes|errors|a second|days|mm|\bs)*$/;

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

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}`;
  const today = new Date().toISOString().slice(0, 10);
  return `${processor}, ${gigabytes} GB, Node ${process.versions.node}, ${today}.`;
}

/** The value that this share of the values is below; 0.5 is the median. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Milliseconds by what took them. */
export class Times {
  readonly #times = new Map<string, number[]>();

  of(name: string): readonly number[] {
    return this.#times.get(name) ?? [];
  }

  add(name: string, ms: number): void {
    const known = this.#times.get(name);
    if (known === undefined) this.#times.set(name, [ms]);
    else known.push(ms);
  }

  /** Adds what the work takes, unless the round is negative: such rounds warm up. */
  async measure<T>(name: string, round: number, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await work();
    if (round >= 0) this.add(name, performance.now() - started);
    return result;
  }

  median(name: string): number {
    return quantile(this.of(name), 0.5);
  }

  mean(name: string): number {
    return sum(this.of(name)) / this.of(name).length;
  }
}
