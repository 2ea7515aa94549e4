import { formatMs } from '../markdown.ts';
import type { Target } from '../read/targets.ts';
import { HEAVY_CONNECTIONS } from './light-key.ts';
import type { ServingResults } from './serving.ts';
import { SLOW_READERS } from './slow-readers.ts';
import type { StreamResult } from './streams.ts';
import { WALKING_CLIENTS } from './walking-clients.ts';

export function servingTargets(results: ServingResults): readonly Target[] {
  return [
    ...statementTargets(results),
    ...repeatedTargets(results),
    ...walkingTargets(results),
    ...streamTargets(results.streams),
    lightKeyTarget(results),
  ];
}

/** @param cacheMegabytes the bound of the page cache, which is allowed in addition */
export function memoryTarget(megabytes: number, cacheMegabytes: number): Target {
  return {
    what: 'most resident memory of the api, all measurements of this run',
    measured: megabytes,
    unit: 'MB',
    atMost: 300 + cacheMegabytes,
    detail: `with ${SLOW_READERS} slow readers; 300 MB and the page cache of ${cacheMegabytes} MB`,
  };
}

function statementTargets({ statements: { pages, reads, all, repeatedReads } }: ServingResults): Target[] {
  const what = `a walk of ${pages} pages of 1,000 records`;
  return [
    { what: `${what}: statements that read reports`, measured: reads, unit: 'statements', atMost: 15 },
    { what: `${what}: all statements`, measured: all, unit: 'statements', atMost: 25 },
    {
      what: 'its first page again: statements that read reports',
      measured: repeatedReads,
      unit: 'statements',
      atMost: 0,
    },
  ];
}

function repeatedTargets({ repeated: { first, again, notModified, gzip } }: ServingResults): Target[] {
  const detail = `the first: ${formatMs(first)} ms`;
  return [
    {
      what: 'the same page again, compared with the first',
      measured: again / first,
      unit: '×',
      atMost: 0.15,
      detail,
    },
    {
      what: '304 for a page in memory, compared with the first',
      measured: notModified / first,
      unit: '×',
      atMost: 0.1,
      detail,
    },
    {
      what: 'a first page with gzip, compared with none',
      measured: gzip.first / first,
      unit: '×',
      atMost: 1.15,
    },
    {
      what: 'a page in memory with gzip, compared with none',
      measured: gzip.again / again,
      unit: '×',
      atMost: 1.2,
    },
  ];
}

function walkingTargets({ walking, otherCommit }: ServingResults): Target[] {
  return walking.flatMap(({ encoding, ours, other }) =>
    other === undefined
      ? []
      : [
          {
            what: `records a second of ${WALKING_CLIENTS} walking clients, ${encoding}, compared with commit ${otherCommit}`,
            measured: ours / other,
            unit: '×',
            atLeast: 1.5,
          },
        ],
  );
}

function streamTargets(streams: readonly StreamResult[]): Target[] {
  return [true, false].map((isWhole) => {
    const slowest = streams
      .filter((stream) => stream.isWhole === isWhole)
      .toSorted((a, b) => a.bareMs / a.ms - b.bareMs / b.ms)[0];
    if (slowest === undefined) throw new Error('No stream was measured');
    return {
      what: `records a second of a stream, ${isWhole ? 'range within the limit' : 'longer range'}, compared with the bare engine`,
      measured: slowest.bareMs / slowest.ms,
      unit: '×',
      atLeast: isWhole ? 0.8 : 0.6,
      detail: slowest.format,
    };
  });
}

function lightKeyTarget({ lightKey: { alone, beside } }: ServingResults): Target {
  return {
    what: `one request a second beside ${HEAVY_CONNECTIONS} connections of another key, compared with alone`,
    measured: beside / alone,
    unit: '×',
    atMost: 4,
    detail: `${formatMs(beside)} and ${formatMs(alone)} ms`,
  };
}
