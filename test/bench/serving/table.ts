import { formatMs, formatRatio, section, table } from '../markdown.ts';
import { HEAVY_CONNECTIONS } from './light-key.ts';
import type { ServingResults } from './serving.ts';
import type { StreamResult } from './streams.ts';
import { WALKING_CLIENTS } from './walking-clients.ts';

export function servingTable(results: ServingResults): string {
  const { statements, repeated, walking, otherCommit, lightKey, streams } = results;
  const { pages, reads, all, repeatedReads } = statements;
  return section(
    'Walks, streams and clients beside one another',
    'Pages have 1,000 records of one station with `raw`. Each first page is of a range that nothing asked for before; ' +
      'the coverage of its station is in memory.',
    table(
      ['what', 'measured'],
      [
        [
          `statements in a walk of ${pages} pages`,
          `${reads} that read reports, ${all} with coverage, density and changes; ${repeatedReads} that read reports for its first page again`,
        ],
        [
          'a first page, again, and 304, ms',
          [repeated.first, repeated.again, repeated.notModified].map(formatMs).join(', '),
        ],
        [
          'with gzip: a first page, and again, ms',
          [repeated.gzip.first, repeated.gzip.again].map(formatMs).join(', '),
        ],
        ...walking.map(({ encoding, ours, other }) => [
          `records a second, ${WALKING_CLIENTS} clients that walk a station each, ${encoding}`,
          `${count(ours)}${other === undefined ? '' : `, ${count(other)} with commit ${otherCommit}, in turn`}`,
        ]),
        [
          `a first page, for a key that asks once a second, ms`,
          `${formatMs(lightKey.alone)}; ${formatMs(lightKey.beside)} beside ${HEAVY_CONNECTIONS} connections of another key, which get ${lightKey.heavyPagesPerSecond.toFixed(0)} pages a second`,
        ],
      ],
    ),
    'Streams: one station with `raw`, without compression, from the request to the first bytes and to the last. `bare ' +
      'engine`: one statement for all records, sent to the engine over HTTP in turn with the api.',
    table(
      ['format', 'range', 'records', 'MB', 'first bytes, ms', 'records/s', 'of the bare engine', 'ratio'],
      streams.map(streamRow),
    ),
  );
}

function streamRow({
  format,
  isWhole,
  records,
  megabytes,
  firstMs,
  ms,
  bareMs,
}: StreamResult): readonly string[] {
  return [
    format,
    isWhole ? 'ends within the limit' : 'is longer than the limit',
    count(records),
    megabytes.toFixed(1),
    formatMs(firstMs),
    count((records / ms) * 1000),
    count((records / bareMs) * 1000),
    formatRatio(bareMs / ms),
  ];
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}
