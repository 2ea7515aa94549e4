import { type Figure, type Section, worst } from '../figures.ts';
import { formatMs, formatRatio } from '../markdown.ts';
import type { ServingResults } from '../serving/serving.ts';
import { WALKING_CLIENTS } from '../serving/walking-clients.ts';
import { sum } from '../statistics.ts';
import type { SizeComparison } from './measurements/archive-sizes.ts';
import type { FirstRequests } from './measurements/first-requests.ts';
import type { QueryResult } from './measurements/measure.ts';
import { SOAK_CONNECTIONS, type SoakResult } from './measurements/soak.ts';
import { CONNECTIONS, type Throughput } from './measurements/throughput.ts';

/** What is asked of the pages, where they were measured. */
export function pageTargets(measured: readonly QueryResult[]): readonly Figure[] {
  if (measured.length === 0) return [];
  const pages = measured.filter(({ query, records }) => records === 1000 && query.encoding === undefined);
  const named = (name: string) => find(measured, `limit 500: ${name}`);
  const years = named('1 station, 21 years');
  const compared = (what: string, a: number, b: number, atMost: number): Figure => ({
    what,
    measured: a / b,
    unit: '×',
    atMost,
  });
  return [
    ...worst(
      pages,
      ({ p50, bareP50 }) => p50 / bareP50,
      { what: 'a page of 1,000 records, compared with the bare engine', atMost: 1.3 },
      ({ query }) => query.name,
    ),
    ...worst(
      pages,
      ({ repeatedP50, bareP50 }) => repeatedP50 / bareP50,
      { what: 'the same repeated within a second, compared with the bare engine', atMost: 1.3 },
      ({ query }) => query.name,
    ),
    compared('21 years compared with 1 month', years.p50, named('1 station, 1 month').p50, 1.3),
    compared(
      'a page in the middle compared with the first',
      named('1 station, 21 years, middle page').p50,
      years.p50,
      1.3,
    ),
    // The api keeps the coverage of stations, so a repeated request costs the page alone.
    compared(
      '1,000 stations compared with 1, page part',
      named('1,000 stations, 21 years').repeatedP50,
      years.repeatedP50,
      4,
    ),
    compared(
      'a station with 10 reports a year compared with an hourly one',
      named('10 reports a year, 21 years').p50,
      years.p50,
      3,
    ),
    compared(
      'an unknown station compared with an hourly one',
      named('unknown station, 21 years').p50,
      years.p50,
      3,
    ),
  ];
}

export function pages(
  measured: readonly QueryResult[],
  throughput: readonly (readonly Throughput[])[],
  { p50, repeatedP50, stations }: FirstRequests,
): Section {
  return {
    title: 'Pages over HTTP, compared with the bare engine',
    about:
      'The api, the engine and the clients share the cores. `measured`: the median, once in a round of all queries, which takes ' +
      'more than a second; `again`: shortly afterwards. `bare engine`: the cheapest coverage statement and then the cheapest page ' +
      'statement for the same result, sent to the engine over HTTP, with the fastest of several settings. Pages have 1,000 ' +
      'records and `raw` unless the name says otherwise.',
    figures: [
      ...measured.map((result, n): Figure => {
        const { query, records, kilobytes, p95, bareP50, bareCoverageP50, barePageP50 } = result;
        const rates = (throughput[n] ?? []).map(
          ({ pagesPerSecond, failed }) =>
            `${pagesPerSecond.toFixed(0)}${failed === 0 ? '' : ` (${failed} failed)`}`,
        );
        const rate =
          rates.length === 0 ? '' : `; ${rates.join(', ')} a second at ${CONNECTIONS.join(', ')} connections`;
        return {
          what: query.name,
          measured: result.p50,
          unit: 'ms',
          detail: `p95 ${formatMs(p95)}, again ${formatMs(result.repeatedP50)}, bare engine ${formatMs(bareP50)} (${formatMs(bareCoverageP50)} + ${formatMs(barePageP50)}), ratio ${formatRatio(result.p50 / bareP50)}; ${records} records, ${kilobytes.toFixed(0)} kB${rate}`,
        };
      }),
      {
        what: 'the first request for a station, 500 records of 21 years',
        measured: p50,
        unit: 'ms',
        detail: `again ${formatMs(repeatedP50)}; ${stations} stations`,
      },
    ],
  };
}

export function soaked({ queries, errors, resident, seconds }: SoakResult): Section {
  const tenth = Math.max(1, Math.floor(resident.length / 10));
  return {
    title: `${SOAK_CONNECTIONS} connections, all queries mixed, ${seconds} s`,
    figures: [
      {
        what: 'failed requests',
        measured: sum(errors.values()),
        unit: 'errors',
        atMost: 0,
        detail: [...errors].map(([error, count]) => `${error}: ${count}`).join(', '),
      },
      ...worst(
        queries,
        ({ p50, p99 }) => p99 / p50,
        { what: 'p99 compared with p50', atMost: 6 },
        ({ name }) => name,
      ),
      {
        what: 'most resident memory',
        measured: Math.max(...resident),
        unit: 'MB',
        atMost: 300,
        detail: `over time ${resident.filter((_, n) => n % tenth === 0).join(', ')}`,
      },
      ...queries
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map(
          ({ name, pages: count, p50, p99 }): Figure => ({
            what: name,
            measured: p50,
            unit: 'ms',
            detail: `p99 ${formatMs(p99)}; ${count} pages`,
          }),
        ),
    ],
  };
}

export function sizes(compared: readonly SizeComparison[]): Section {
  const other = compared[0]?.otherRows.toLocaleString('en') ?? '';
  return {
    title: `Compared with the same pages of an archive of ${other} reports, in turn`,
    figures: [
      ...worst(
        compared,
        ({ ratio }) => ratio,
        { what: 'any page', atMost: 1.3 },
        ({ name }) => name,
      ),
      ...compared.map(
        ({ name, p50, otherP50, ratio }): Figure => ({
          what: name,
          measured: ratio,
          unit: '×',
          detail: `${formatMs(p50)} and ${formatMs(otherP50)} ms`,
        }),
      ),
    ],
  };
}

export function serving({ repeated, walking, otherCommit, streams }: ServingResults): Section {
  const { first, again, notModified, gzip } = repeated;
  return {
    title: 'Walks, repeated pages and streams',
    about:
      'Pages have 1,000 records of one station with `raw`; each first page is of a range that nothing asked for before. Streams: ' +
      'one station with `raw`, without compression; the bare engine sends all records by one statement over HTTP, in turn.',
    figures: [
      { what: 'a first page', measured: first, unit: 'ms', detail: `with gzip ${formatMs(gzip.first)}` },
      ...[
        { what: 'the same page again, compared with the first', measured: again / first, atMost: 0.15 },
        {
          what: '304 for a page in memory, compared with the first',
          measured: notModified / first,
          atMost: 0.1,
        },
        { what: 'a first page with gzip, compared with none', measured: gzip.first / first, atMost: 1.15 },
        { what: 'a page in memory with gzip, compared with none', measured: gzip.again / again, atMost: 1.2 },
      ].map((figure): Figure => ({ ...figure, unit: '×' })),
      ...walking.flatMap(({ encoding, ours, other }): readonly Figure[] => {
        const what = `records of ${WALKING_CLIENTS} clients that walk a station each, ${encoding}`;
        const rate: Figure = { what, measured: ours, unit: 'a second' };
        return other === undefined
          ? [rate]
          : [
              { ...rate, detail: `${Math.round(other)} with commit ${otherCommit}, in turn` },
              {
                what: `${what}, compared with ${otherCommit}`,
                measured: ours / other,
                unit: '×',
                atLeast: 0.95,
              },
            ];
      }),
      ...streams.map(
        ({ format, isWhole, records, megabytes, firstMs, ms, bareMs }): Figure => ({
          what: `a stream as ${format}${isWhole ? '' : ' that its limit ends'}`,
          measured: (1000 * records) / ms,
          unit: 'a second',
          detail: `${formatRatio(bareMs / ms)} of the bare engine; first bytes after ${formatMs(firstMs)} ms; ${records} records, ${megabytes.toFixed(1)} MB`,
        }),
      ),
    ],
  };
}

function find(measured: readonly QueryResult[], name: string): QueryResult {
  const found = measured.find(({ query }) => query.name === name);
  if (found === undefined) throw new Error(`No query is named ${name}`);
  return found;
}
