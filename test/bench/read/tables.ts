import { ms, section, table, times } from '../markdown.ts';
import type { Peers } from '../peers/compare.ts';
import type { SizeCompared } from './archive-sizes.ts';
import type { FirstAsks, Measured } from './measure.ts';
import type { Promised } from './targets.ts';
import { CONNECTIONS, type Rate, type Soaked } from './throughput.ts';

export function promisesTable(promises: readonly Promised[]): string {
  const rows = promises.map(({ what, measured, unit, atMost, atLeast, where = '' }) => {
    const kept =
      measured <= (atMost ?? Number.POSITIVE_INFINITY) && measured >= (atLeast ?? Number.NEGATIVE_INFINITY);
    const value = unit === '×' ? times(measured) : `${unit === 'ms' ? ms(measured) : measured} ${unit}`;
    return [
      what,
      value,
      atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`,
      kept ? 'yes' : '**no**',
      where,
    ];
  });
  return section('What is promised', table(['what', 'measured', 'promised', 'kept', 'where'], rows));
}

export function queriesTable(
  measured: readonly Measured[],
  rates: readonly (readonly Rate[])[],
  firstAsks: FirstAsks,
  { megabytes, processes }: { readonly megabytes: number; readonly processes: number },
): string {
  const rows = measured.map((each, n) => [
    each.query.name,
    each.records.toLocaleString('en'),
    each.kilobytes.toFixed(0),
    ms(each.p50),
    ms(each.p95),
    ms(each.againP50),
    `${ms(each.floorCoverage)} + ${ms(each.floorPage)}`,
    ms(each.floorP50),
    times(each.p50 / each.floorP50),
    ...(rates[n] ?? []).map(
      ({ perSecond, refused }) =>
        perSecond.toFixed(perSecond < 10 ? 1 : 0) + (refused === 0 ? '' : ` (${refused} refused)`),
    ),
  ]);
  const header = [
    'query',
    'records',
    'kB',
    'api p50',
    'api p95',
    'again p50',
    'floor: coverage + page',
    'floor p50',
    'ratio',
    ...(rates.length === 0 ? [] : CONNECTIONS.map((connections) => `req/s at ${connections}`)),
  ];
  return section(
    'The service over HTTP, and the engine alone',
    'Service, engine and the clients that ask share the cores of the machine. Milliseconds. `api`: once in a ' +
      'round of all queries, which takes more than a second; `again`: soon after. The service keeps what it knows of ' +
      'stations and looks once a second whether it is still true. The floor is the cheapest coverage statement and ' +
      'then the cheapest page statement for the same answer, sent to the engine over HTTP: it knows beforehand in which ' +
      'minutes the page lies, and the fastest of several settings is taken. Pages hold 1,000 records and raw text unless said otherwise.',
    table(header, rows),
    `A station that the service was never asked for takes ${ms(firstAsks.p50)} ms, and ${ms(firstAsks.againP50)} the next time (500 records of 21 years, medians of ${firstAsks.stations} stations).`,
    `Resident memory of the api afterwards: ${megabytes} MB (${processes === 1 ? 'one process' : `the largest of ${processes} processes`}).`,
  );
}

export function soakTable({ seconds, queries, errors, resident }: Soaked): string {
  const rows = queries
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, answers, p50, p99 }) => [name, String(answers), ms(p50), ms(p99), times(p99 / p50)]);
  const failed = [...errors].map(([error, count]) => `${error}: ${count}`).join(', ') || 'none';
  const tenth = Math.max(1, Math.floor(resident.length / 10));
  return section(
    `32 connections, all queries mixed, ${seconds} s`,
    table(['query', 'answers', 'p50', 'p99', 'p99 / p50'], rows),
    `Answers that are no page: ${failed}. Resident megabytes over time: ${resident.filter((_, n) => n % tenth === 0).join(', ')}.`,
  );
}

export function sizesTable(sizes: readonly SizeCompared[]): string {
  const beside = sizes[0]?.besideRows.toLocaleString('en') ?? '';
  return section(
    `The same pages of an archive of ${beside} reports, asked in turn`,
    table(
      ['query', 'p50 here', `p50 of ${beside}`, 'ratio'],
      sizes.map(({ name, p50, besideP50, ratio }) => [name, ms(p50), ms(besideP50), times(ratio)]),
    ),
  );
}

export function peersTable({ about, queries, disks }: Peers): string {
  const cell = (other: number | undefined, ours: number) =>
    other === undefined ? '–' : `${ms(other)} (${times(other / ours)})`;
  const rows = queries.map(({ name, ours, theirs }) => [
    name,
    ms(ours),
    cell(theirs.postgres, ours),
    cell(theirs.duckdb, ours),
  ]);
  const bytes = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(1));
  return section(
    'Other databases on the same rows',
    about,
    table(
      ['query', 'this service over HTTP', 'PostgreSQL', 'DuckDB on Parquet'],
      [...rows, ['bytes per report on disk', bytes(disks.ours), bytes(disks.postgres), bytes(disks.duckdb)]],
    ),
  );
}
