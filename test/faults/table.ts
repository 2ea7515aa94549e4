import { table } from '../bench/markdown.ts';
import type { Row } from './fault.ts';

const TITLE = '# Faults';

const INTRODUCTION = `What the service does when its parts fail and when clients misbehave. \`npm run test:faults\` does each of these to
the real program (\`npm start\`) with a real Redis and the real engine, and \`npm run test:faults -- --write\` writes this
file. Clients send requests while a fault lasts; the recovery is the time from its end to the first page. \`held\` means
that clients got only the answers that are allowed for this fault, within its time limits. Times depend on the machine:
[OPEN_TARGETS.md](../test/bench/OPEN_TARGETS.md) says what light keys waited in other runs.`;

export function document(rows: readonly Row[]): string {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const sections = groups.map((group) =>
    [`## ${group}`, faultTable(rows.filter((row) => row.group === group))].join('\n\n'),
  );
  const held = rows.filter(({ breaches }) => breaches.length === 0).length;
  const total = `${held} of ${rows.length} faults held.`;
  return `${[TITLE, INTRODUCTION, total, ...sections].join('\n\n')}\n`;
}

const CELLS = /^\| (.+?) \| (.+?) \| (.*) \| (.*) \| (.+?) \|$/;

/** The rows of a document, with the action that they had. */
export function readDocument(text: string): readonly Row[] {
  let group = '';
  return text.split('\n').flatMap((line) => {
    group = /^## (.+)$/.exec(line)?.[1] ?? group;
    const [, name = '', action = '', seen = '', recovery = '', verdict = ''] = CELLS.exec(line) ?? [];
    if (name === '' || name === 'fault' || name.startsWith('---')) return [];
    return [{ group, name, action, seen, recovery, breaches: verdict === 'held' ? [] : [verdict] }];
  });
}

export function verdictOf({ breaches }: Pick<Row, 'breaches'>): string {
  return breaches.length === 0 ? 'held' : `failed: ${breaches.join('; ')}`;
}

function faultTable(rows: readonly Row[]): string {
  return table(
    ['fault', 'what was done', 'what clients saw', 'recovery', 'verdict'],
    rows.map((row) => [row.name, row.action, row.seen, row.recovery, verdictOf(row)].map(inCell)),
  );
}

function inCell(text: string): string {
  return text.replaceAll(/(?<!\\)\|/g, '\\|').replaceAll('\n', ' ');
}
