import { formatMs, formatRatio, section, table } from '../markdown.ts';
import type { Resident } from '../process-usage.ts';
import type { SizeComparison } from './measurements/archive-sizes.ts';
import type { FirstRequests } from './measurements/first-requests.ts';
import type { QueryResult } from './measurements/measure.ts';
import { SOAK_CONNECTIONS, type SoakResult } from './measurements/soak.ts';
import { CONNECTIONS, type Throughput } from './measurements/throughput.ts';
import type { Target } from './targets.ts';

export function targetsTable(targets: readonly Target[]): string {
  const rows = targets.map(({ what, measured, unit, atMost, atLeast, detail = '' }) => {
    const isMet =
      measured <= (atMost ?? Number.POSITIVE_INFINITY) && measured >= (atLeast ?? Number.NEGATIVE_INFINITY);
    const value =
      unit === '×' ? formatRatio(measured) : `${unit === 'ms' ? formatMs(measured) : measured} ${unit}`;
    const limit = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
    return [what, value, limit, isMet ? 'yes' : '**no**', detail];
  });
  return section('Targets', table(['what', 'measured', 'target', 'met', 'detail'], rows));
}

export function queriesTable(
  measured: readonly QueryResult[],
  throughput: readonly (readonly Throughput[])[],
  firstRequests: FirstRequests,
  { megabytes, processes }: Resident,
): string {
  const rows = measured.map((result, n) => [
    result.query.name,
    result.records.toLocaleString('en'),
    result.kilobytes.toFixed(0),
    formatMs(result.p50),
    formatMs(result.p95),
    formatMs(result.repeatedP50),
    `${formatMs(result.bareCoverageP50)} + ${formatMs(result.barePageP50)}`,
    formatMs(result.bareP50),
    formatRatio(result.p50 / result.bareP50),
    ...(throughput[n] ?? []).map(
      ({ pagesPerSecond, failed }) =>
        pagesPerSecond.toFixed(pagesPerSecond < 10 ? 1 : 0) + (failed === 0 ? '' : ` (${failed} failed)`),
    ),
  ]);
  const header = [
    'query',
    'records',
    'kB',
    'api p50',
    'api p95',
    'repeated p50',
    'bare engine: coverage + page',
    'bare engine p50',
    'ratio',
    ...(throughput.length === 0 ? [] : CONNECTIONS.map((connections) => `req/s at ${connections}`)),
  ];
  return section(
    'The api over HTTP, compared with the bare engine',
    'The api, the engine and the clients share the cores of the machine. Milliseconds. `api`: once in a round of all ' +
      'queries, which takes more than a second; `repeated`: shortly afterwards. The api keeps the coverage of stations ' +
      'and checks once a second whether it changed. `bare engine`: the cheapest coverage statement and then the cheapest ' +
      'page statement for the same result, sent to the engine over HTTP. They contain the times of the first and the ' +
      'last record of the page, and use the fastest of several settings. Pages have 1,000 records and `raw` unless the ' +
      'name says otherwise.',
    table(header, rows),
    `The first request for a station takes ${formatMs(firstRequests.p50)} ms, the same request repeated ${formatMs(firstRequests.repeatedP50)} ms (500 records of 21 years, medians of ${firstRequests.stations} stations).`,
    `Resident memory of the api afterwards: ${megabytes} MB (${processes === 1 ? 'one process' : `the largest of ${processes} processes`}).`,
  );
}

export function soakTable({ seconds, queries, errors, resident }: SoakResult): string {
  const rows = queries
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, pages, p50, p99 }) => [
      name,
      String(pages),
      formatMs(p50),
      formatMs(p99),
      formatRatio(p99 / p50),
    ]);
  const failures = [...errors].map(([error, count]) => `${error}: ${count}`).join(', ') || 'none';
  const tenth = Math.max(1, Math.floor(resident.length / 10));
  return section(
    `${SOAK_CONNECTIONS} connections, all queries mixed, ${seconds} s`,
    table(['query', 'pages', 'p50', 'p99', 'p99 / p50'], rows),
    `Failed requests: ${failures}. Resident megabytes over time: ${resident.filter((_, n) => n % tenth === 0).join(', ')}.`,
  );
}

export function sizesTable(sizes: readonly SizeComparison[]): string {
  const other = sizes[0]?.otherRows.toLocaleString('en') ?? '';
  return section(
    `The same pages of an archive of ${other} reports, requested in turn`,
    table(
      ['query', 'p50 of this archive', `p50 of ${other}`, 'ratio'],
      sizes.map(({ name, p50, otherP50, ratio }) => [
        name,
        formatMs(p50),
        formatMs(otherP50),
        formatRatio(ratio),
      ]),
    ),
  );
}
