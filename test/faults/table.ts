import { table } from '../bench/markdown.ts';
import type { Row } from './fault.ts';

const TITLE = '# Faults';

const SUMMARY = `- A part that fails is named: 503 \`key_store_unavailable\` or \`storage_unavailable\`, within a second once it is known to
  be silent, and pages again as soon as it is back. An embedded engine that hangs is replaced.
- Nothing that was acknowledged is lost: not by kills of api, loader or engine, nor by a full disk or a power failure. The
  same command goes on.
- Whatever one client sends, others with a key get their pages. Memory of the api stays bounded with clients that do not
  read, or that ask for large pages in every encoding.
- A restart breaks no response but streams, which clients see broken off.`;

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
  return `${[TITLE, total, SUMMARY, summaryTable(groups, rows), INTRODUCTION, ...sections].join('\n\n')}\n`;
}

function summaryTable(groups: readonly string[], rows: readonly Row[]): string {
  return table(
    ['group', 'held', 'longest recovery'],
    groups.map((group) => {
      const ofGroup = rows.filter((row) => row.group === group);
      const held = ofGroup.filter(({ breaches }) => breaches.length === 0).length;
      const seconds = Math.max(...ofGroup.map(({ recovery }) => Number.parseFloat(recovery) || 0));
      const link = `[${group}](#${group.toLowerCase().replaceAll(' ', '-')})`;
      return [link, `${held} of ${ofGroup.length}`, seconds === 0 ? '' : `${seconds} s`];
    }),
  );
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
