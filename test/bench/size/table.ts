import { section, table } from '../markdown.ts';
import type { DiskUsage } from './disk-usage.ts';

/** Rows that print as 0.00 in every column are left out. */
const SHOWN_BYTES = 0.005;

export function diskUsageTable(
  states: readonly { readonly name: string; readonly usage: DiskUsage }[],
): string {
  const usages = states.map(({ usage }) => usage);
  const names = new Set(usages.flatMap(({ shares }) => [...shares.keys()]));
  const rows = [...names].map((name) => ({
    name,
    bytes: usages.map(({ shares }) => shares.get(name) ?? 0),
  }));
  return section(
    'Bytes per report',
    table(
      ['what', ...states.map(({ name }) => name)],
      [
        ['**total**', ...usages.map(({ total }) => total.toFixed(2))],
        ...rows
          .filter(({ bytes }) => bytes.some((each) => each >= SHOWN_BYTES))
          .map(({ name, bytes }) => [name, ...bytes.map((each) => each.toFixed(2))]),
        ['reports', ...usages.map(({ reports }) => reports.toLocaleString('en'))],
      ],
    ),
    'Target: a total of at most 75 bytes a report. All parts are wide, as those of a large archive. All in one year: the ' +
      'same reports with their times moved into one year, where reports of many stations follow each other as in a ' +
      'large archive.',
  );
}
