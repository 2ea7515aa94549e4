import { table } from '../bench/results.ts';
import type { Row } from './fault.ts';

const TITLE = '# Faults';

const SUMMARY = `A part that fails is named: 503 \`key_store_unavailable\` or \`storage_unavailable\`, within a second once
it is known to be silent. Pages are served again as soon as it is back. An embedded engine that hangs is replaced. Nothing that
was acknowledged is lost: not by kills of api, loader or engine, nor by a full disk or a power failure; the same command goes
on. Whatever one client sends, others with a key get their pages. Memory of the api stays bounded with clients that do not
read, or that ask for large pages in every encoding. A restart breaks no response but streams, which clients see broken off.`;

const INTRODUCTION = `\`npm run test:faults\` tries this on the real program, Redis and engine; \`-- --write\` writes this file. A fault held
when clients got only the answers allowed for it, in time. Recorded are the answers by status (429 is \`rate_limited\`), the
longest wait, the most memory, and the recovery: from the end of the fault to the first page.

Rows are of their last recording, and depend on the machine. [OPEN_TARGETS.md](../test/bench/OPEN_TARGETS.md)
has other runs, and says which rows are to be recorded again.`;

/** What the rows of a group have in common. */
const NOTES: Readonly<Record<string, string>> = {
  Redis: '503 is `key_store_unavailable`, in the first ten rows also at `/readyz`.',
  Clients: `A flood is 500 requests a second for 3 s. Recorded are the answers to others. A test serves 100 requests of one key at
once: [concurrency.test.ts](../test/integration/api/ops/concurrency.test.ts).`,
  Memory: `In 1 GB, a key sends 100 requests a second for 10 s, unless the row says otherwise; another asks for small pages. 503 is
\`overloaded\`. Memory: api/api and engine. Last: the median wait of the other key meanwhile/alone.`,
  'Memory of the engine': 'In the first row 503 is `overloaded`.',
  'Page cache': 'A key asks for coverages of 1,000 stations, 20 at a time.',
  'The embedded engine': '503 is `storage_unavailable`. In the last row the recovery is a whole start.',
  'A frozen engine': '503 is `storage_unavailable`. In the last row the recovery is the time until the end.',
  Stopping: 'In the first six rows the exit code was 0; recovery until the end.',
  Loads: 'The recovery is a whole start. Memory is that of the loader.',
  'Power failures':
    'The disk keeps what was synced. Recorded are the reports not stored yet; the recovery is a whole start.',
};

export function document(rows: readonly Row[]): string {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const sections = groups.map((group) =>
    [`## ${group}`, NOTES[group] ?? [], faultTable(rows.filter((row) => row.group === group))]
      .flat()
      .join('\n\n'),
  );
  const held = rows.filter(({ breaches }) => breaches.length === 0).length;
  const total = `${held} of ${rows.length} faults held.`;
  return `${[TITLE, `${total} ${SUMMARY}`, INTRODUCTION, ...sections].join('\n\n')}\n`;
}

const CELLS = /^\| (.+?) \| (.+?) \| (.*) \|$/;
const FAILED = 'failed: ';

/** The rows of a document. The recovery is part of what was seen. */
export function readDocument(text: string): readonly Row[] {
  let group = '';
  return text.split('\n').flatMap((line) => {
    group = /^## (.+)$/.exec(line)?.[1] ?? group;
    const [, name = '', does = '', figure = ''] = CELLS.exec(line) ?? [];
    if (name === '' || name === 'fault' || name.startsWith('---')) return [];
    const isFailed = figure.startsWith(FAILED);
    const breaches = isFailed ? [figure.slice(FAILED.length)] : [];
    return [{ group, name, does, seen: isFailed ? '' : figure, recovery: '', breaches }];
  });
}

export function verdictOf({ breaches }: Pick<Row, 'breaches'>): string {
  return breaches.length === 0 ? 'held' : `${FAILED}${breaches.join('; ')}`;
}

function faultTable(rows: readonly Row[]): string {
  return table(
    ['fault', 'what the service does', 'recorded'],
    rows.map((row) => [row.name, row.does, figureOf(row)].map(inCell)),
  );
}

function figureOf({ seen, recovery, breaches }: Row): string {
  if (breaches.length > 0) return verdictOf({ breaches });
  return [seen, recovery && `recovery ${recovery}`].filter(Boolean).join('; ');
}

function inCell(text: string): string {
  return text.replaceAll(/(?<!\\)\|/g, '\\|').replaceAll('\n', ' ');
}
