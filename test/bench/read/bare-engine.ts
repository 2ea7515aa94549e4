import type { Asker } from '../http-client.ts';
import type { Query } from './queries.ts';

/** What a client got for a query: what the floor has to find too. */
export type Expected = {
  readonly ids: readonly string[];
  /** RFC 3339; the same twice where there is one record, absent where there is none. */
  readonly first?: string;
  readonly last?: string;
  readonly yearsDone: ReadonlyMap<string, number>;
};

/** The two statements of a floor, each with the settings under which it was fastest. */
export type Floor = { readonly coverage: Statement; readonly page: Statement };
export type Statement = { readonly text: string; readonly settings: string };

const PRINTING =
  'date_time_output_format=iso&output_format_json_quote_decimals=1' +
  '&output_format_json_skip_null_value_in_named_tuples=1&output_format_json_escape_forward_slashes=0';

const SETTINGS = [
  '',
  '&max_threads=1',
  '&max_threads=1&output_format_parallel_formatting=0',
  '&max_threads=1&output_format_parallel_formatting=0&enable_analyzer=0',
  '&optimize_use_projections=0&max_threads=1&output_format_parallel_formatting=0',
];

const TRIALS = 7;

/**
 * The floor of a query: the cheapest statement for its coverage and the cheapest for its page, which knows beforehand
 * in which minutes the page lies, and that in this archive no row stands twice and no year is done in part. Throws
 * when they do not find what the client got.
 */
export async function floorOf(
  engine: Asker,
  database: string,
  query: Query,
  expected: Expected,
): Promise<Floor> {
  const coverage = await fastest(engine, `database=${database}`, coverageTexts(query));
  const page = await fastest(engine, `database=${database}&${PRINTING}`, pageTexts(query, expected));
  await verify(engine, { coverage, page }, query, expected);
  return { coverage, page };
}

async function fastest(engine: Asker, base: string, texts: readonly string[]): Promise<Statement> {
  let best: { statement: Statement; ms: number } | undefined;
  for (const text of texts)
    for (const setting of SETTINGS) {
      const statement = { text, settings: base + setting };
      const times: number[] = [];
      for (let trial = 0; trial < TRIALS; trial += 1)
        times.push((await engine.query(text, statement.settings)).ms);
      const ms = times.sort((a, b) => a - b)[TRIALS >> 1] ?? 0;
      if (best === undefined || ms < best.ms) best = { statement, ms };
    }
  if (best === undefined) throw new Error('nothing to try');
  return best.statement;
}

function coverageTexts({ filters }: Query): readonly string[] {
  const [first, last] = [new Date(filters.from), new Date(filters.to - 1)].map((date) =>
    date.getUTCFullYear(),
  );
  const where = `${amongStations(filters.stations)} AND year BETWEEN ${first} AND ${last}`;
  const years = [
    `SELECT station, year, bitmapCardinality(groupBitmapMergeState(days)) AS done FROM coverage WHERE ${where} GROUP BY station, year`,
    `SELECT station, year, finalizeAggregation(days) AS done FROM coverage FINAL WHERE ${where}`,
  ];
  return years.map(
    (each) => `SELECT station, countIf(done = toDayOfYear(makeDate(year, 12, 31)))
FROM (${each})
GROUP BY station
FORMAT TSV`,
  );
}

function pageTexts({ filters, limit }: Query, { first, last }: Expected): readonly string[] {
  const { stations, include, type } = filters;
  const from = first ?? new Date(filters.from).toISOString();
  const to = last ?? new Date(filters.to).toISOString();
  const status = include.includes('decoded') ? "if(clean, 'parsed', 'failed')" : "'raw_only'";
  const time = (text: string) => `toDateTime('${text.slice(0, 19).replace('T', ' ')}', 'UTC')`;
  const where = [
    amongStations(stations),
    `observedAt BETWEEN ${time(from)} AND ${time(to)}`,
    ...(type === 'all' ? [] : [`type = '${type.toUpperCase()}'`]),
  ].join(' AND ');
  const text = (order: string) => `SELECT
    concat(station, '-', formatDateTime(observedAt, '%Y%m%d%H%i'), '-', leftPad(lower(hex(fingerprint)), 8, '0')) AS id,
    station, observedAt, type, ${status} AS parseStatus, ${include.join(', ')}
FROM observations
WHERE ${where}
ORDER BY ${order}
LIMIT ${limit}
FORMAT JSONEachRow`;
  const one = stations.length === 1 ? ['station, observedAt, type, fingerprint'] : [];
  return ['observedAt, station, type, fingerprint', ...one].map(text);
}

function amongStations(stations: readonly string[]): string {
  const [first, ...others] = stations.map((station) => `'${station}'`);
  return others.length === 0 ? `station = ${first}` : `station IN (${[first, ...others].join(',')})`;
}

async function verify(engine: Asker, floor: Floor, query: Query, expected: Expected): Promise<void> {
  const rows = (await engine.query(floor.page.text, floor.page.settings)).body.toString().trimEnd();
  const ids = rows === '' ? [] : rows.split('\n').map((row) => row.slice(7, row.indexOf('"', 7)));
  if (ids.join() !== expected.ids.join()) throw new Error(`${query.name}: the floor finds another page`);
  const counts = (await engine.query(floor.coverage.text, floor.coverage.settings)).body.toString().trimEnd();
  const done = new Map(
    counts === '' ? [] : counts.split('\n').map((row) => row.split('\t') as [string, string]),
  );
  for (const [station, years] of expected.yearsDone)
    if (Number(done.get(station) ?? 0) !== years)
      throw new Error(`${query.name}: the floor finds another coverage of ${station}`);
}
