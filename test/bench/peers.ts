import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { comparedDatabases, type Database, type Dialect, withDatabases } from './databases/databases.ts';
import { describeArchive } from './engine.ts';
import { type Api, withBenchApi } from './read/api.ts';
import type { BenchArchive } from './read/archive.ts';
import { fresh, type Query, queriesOf, streamPathOf, YEARS_21, yearsOf } from './read/queries.ts';
import { walk } from './read/read.ts';
import { type Figure, formatCount, formatMs, type Results, sum, Times } from './results.ts';

/** The first walk of each query warms up. */
const WALKS = 3;
const CSV_ROUNDS = 5;
/** A database that takes this long for a page is asked for few of them: else a run takes hours. */
const [SLOW_MS, FEW] = [60, 3];
const ORDER = 'ORDER BY observed_at, station, type, fingerprint';

const PAGES_METHOD =
  'Medians. The service over HTTP, with keys, limits and coverage; the others at their own driver up to the JSON text of each ' +
  'record, each with the faster of its statements, with warm caches, keyset pages and `decoded` stored as the text that they ' +
  'print, all asked in turn. `measured`: the pages after the first; where a query has one page alone, the same page again. ' +
  '`first`: the first page of ranges that nothing has asked for.';
const CSV_METHOD =
  'All records of a range as CSV with `raw`, the same text in the same order, in turn: this service as a stream over HTTP, the ' +
  'others by `COPY (SELECT …) TO` a file.';

/** Pages, walks and ranges over HTTP, compared with PostgreSQL and DuckDB on the same synthetic reports. */
export async function benchPeers(options: {
  readonly rows: string;
  /** Pages of a walk. */
  readonly rounds: string;
  readonly data: string;
}): Promise<Results> {
  return withBenchApi(options, (archive, api) =>
    withDatabases(archive, async (databases, missing) => {
      const queries = (await queriesOf(archive)).filter(({ encoding }) => encoding === undefined);
      const times = new Times();
      for (const query of queries) await walkInTurn(api, databases, query, Number(options.rounds), times);
      const ranges: Figure[] = [];
      for (const range of rangesOf(archive)) ranges.push(await compareCsv(api, databases, range, times));
      const names = queries.map(({ name }) => name);
      const pages = names.map((name) => pageFigure(databases, times, name));
      return {
        about: [
          await describeArchive(archive.engine),
          ...databases.map(({ version }) => version),
          ...missing,
        ].join('\n\n'),
        sections: [
          {
            title: 'Time of other databases with the same rows, compared with this service',
            figures: targets(databases, times, names),
          },
          { title: 'Pages', about: PAGES_METHOD, figures: pages },
          { title: 'A range as CSV', about: CSV_METHOD, figures: ranges },
        ],
      };
    }),
  );
}

/** The service and each database walk through a query in turn, page after page. */
async function walkInTurn(
  api: Api,
  databases: readonly Database[],
  query: Query,
  pages: number,
  times: Times,
): Promise<void> {
  for (let number = -1; number < WALKS - 1; number += 1) {
    const first = fresh(query);
    for (let page = 0; page < pages; )
      for await (const { response, query: ofPage } of walk(api, first)) {
        const what = `${page === 0 ? 'first' : 'next'} ${query.name}`;
        if (number >= 0) times.add(what, response.ms);
        const { data }: { data: readonly { id: string }[] } = JSON.parse(response.body.toString());
        for (const { name, dialect, select } of databases) {
          if (times.of(`${name} ${what}`).length >= FEW && times.median(`${name} ${what}`) > SLOW_MS)
            continue;
          const statements = pageStatements(ofPage, dialect);
          // The choice between the statements is not part of the time.
          if (number < 0 && page === 0) await select(statements);
          const rows = await times.measure(`${name} ${what}`, number, () => select(statements));
          const ids = rows
            .slice(0, ofPage.limit)
            .map(([record]) => String(record).slice(7, String(record).indexOf('"', 7)));
          if (ids.join() !== data.map(({ id }) => id).join())
            throw new Error(`${query.name}: ${name} returns another page`);
        }
        page += 1;
        if (page === pages) break;
      }
  }
  process.stderr.write('.');
}

/** One row a record, with its JSON text as this service prints it. */
function pageStatements({ filters, after, limit }: Query, dialect: Dialect): readonly string[] {
  const { include, stations, type } = filters;
  const isDecoded = include.includes('decoded');
  const parts = [
    `'{"id":"' || station || '-' || ${dialect.minute} || '-' || fingerprint`,
    `'","station":"' || station || '","observedAt":"' || ${dialect.time} || '","type":"' || type`,
    `'","parseStatus":"' || ${isDecoded ? "CASE WHEN clean THEN 'parsed' ELSE 'failed' END" : "'raw_only'"} || '"'`,
    ...(include.includes('raw') ? [`',"raw":' || to_json(raw)::text`] : []),
    ...(isDecoded ? [`CASE WHEN clean THEN ',"decoded":' || decoded ELSE '' END`] : []),
    `'}'`,
  ];
  const position =
    after && `(${time(after.observedAt)}, '${after.station}', '${after.type}', '${after.fingerprint}')`;
  const where = [
    rangeCondition(filters),
    ...(type === 'all' ? [] : [`type = '${type.toUpperCase()}'`]),
    ...(position === undefined
      ? []
      : [
          `observed_at >= ${time(after?.observedAt ?? 0)}`,
          `(observed_at, station, type, fingerprint) > ${position}`,
        ]),
  ].join(' AND ');
  const [columns, order] = [parts.join(' || '), `${ORDER} LIMIT ${limit + 1}`];
  return [
    `SELECT ${columns} FROM reports WHERE ${stationCondition(stations)} AND ${where} ${order}`,
    ...dialect.pageForms({ columns, stations, where, order }),
  ];
}

function rangesOf({ layout }: BenchArchive): readonly Query[] {
  const query = { ...yearsOf(layout.hourly[0] ?? ''), limit: 1_000_000 };
  const year = { from: Date.UTC(2024, 0) / 1000, to: Date.UTC(2025, 0) / 1000 };
  return [
    { ...query, name: '1 station, 21 years', filters: { ...query.filters, ...YEARS_21 } },
    {
      ...query,
      name: '1,000 stations, 1 year',
      filters: { ...query.filters, ...year, stations: layout.thousand },
    },
  ];
}

async function compareCsv(
  api: Api,
  databases: readonly Database[],
  query: Query,
  times: Times,
): Promise<Figure> {
  const [path, what] = [streamPathOf(query, 'csv'), `csv ${query.name}`];
  const text = new CsvText();
  const { headers, bytes } = await api.download(path, (chunk) => text.add(chunk));
  if (headers['x-has-more'] !== 'false') throw new Error(`${query.name}: more records than the limit`);
  const expected = text.digest();
  for (let round = -1; round < CSV_ROUNDS; round += 1) {
    await times.measure(what, round, () => api.download(path));
    for (const { name, dialect, writeCsv } of databases) {
      const statement = csvStatement(query, dialect);
      const file = await times.measure(`${name} ${what}`, round, () => writeCsv(statement));
      if (round >= 0) continue;
      const written = new CsvText();
      for await (const chunk of createReadStream(file)) written.add(chunk);
      if (written.digest() !== expected) throw new Error(`${query.name}: ${name} prints other records`);
    }
  }
  const service = times.median(what);
  return {
    what: query.name,
    measured: service,
    unit: 'ms',
    detail: `${comparedDatabases(databases, times, what, service)}; ${formatCount(text.lines - 1)} records, ${(bytes / 2 ** 20).toFixed(1)} MB`,
  };
}

const csvStatement = ({ filters }: Query, { minute, time: timeText }: Dialect) =>
  `SELECT station || '-' || ${minute} || '-' || fingerprint AS id, station, ${timeText} AS "observedAt", type,
    'raw_only' AS "parseStatus", raw
  FROM reports WHERE ${stationCondition(filters.stations)} AND ${rangeCondition(filters)}
  ORDER BY observed_at, reports.station, reports.type, fingerprint`;

/** The text of a CSV file without quotes and carriage returns, which programs write or leave out as they like. */
class CsvText {
  readonly #hash = createHash('sha256');
  lines = 0;

  add(chunk: Buffer): void {
    const text = chunk.toString('latin1').replace(/["\r]/g, '');
    this.#hash.update(text, 'latin1');
    this.lines += text.split('\n').length - 1;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

function stationCondition(stations: readonly string[]): string {
  return stations.length === 1 ? `station = '${stations[0]}'` : `station IN ('${stations.join("','")}')`;
}

const rangeCondition = ({ from, to }: Query['filters']) =>
  `observed_at >= ${time(from)} AND observed_at < ${time(to)}`;

const time = (seconds: number) => `TIMESTAMP '${new Date(seconds * 1000).toISOString().slice(0, 19)}'`;

function pageFigure(databases: readonly Database[], times: Times, query: string): Figure {
  const service = times.median(`next ${query}`);
  const firsts = ['', ...databases.map(({ name }) => `${name} `)].map((name) =>
    formatMs(times.median(`${name}first ${query}`)),
  );
  return {
    what: query,
    measured: service,
    unit: 'ms',
    detail: `${comparedDatabases(databases, times, `next ${query}`, service)}; first ${firsts.join(', ')}`,
  };
}

function targets(
  databases: readonly Database[],
  times: Times,
  queries: readonly string[],
): readonly Figure[] {
  return databases.flatMap(({ name }) => {
    const ratios = queries.map((query) => ({
      query,
      ratio: times.median(`${name} next ${query}`) / times.median(`next ${query}`),
    }));
    const slowest = (what: string, atLeast: number, some: typeof ratios): Figure => {
      const [found] = some.toSorted((a, b) => a.ratio - b.ratio);
      return {
        what: `${name}, ${what}`,
        measured: found?.ratio ?? Number.NaN,
        unit: '×',
        atLeast,
        detail: found?.query ?? '',
      };
    };
    const logarithms = ratios.map(({ ratio }) => Math.log(ratio));
    const many = ratios.filter(({ query }) => query.includes('stations, 21 years'));
    if (name === 'DuckDB') return [slowest('any query page after page', 3, ratios)];
    return [
      slowest('any query page after page', 1, ratios),
      slowest('many stations over 21 years', 5, many),
      {
        what: 'PostgreSQL, geometric mean of all queries',
        measured: Math.exp(sum(logarithms) / logarithms.length),
        unit: '×',
        atLeast: 3,
      },
    ];
  });
}
