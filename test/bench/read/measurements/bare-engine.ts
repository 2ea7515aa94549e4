import type { HttpClient } from '../../http-client.ts';
import { median } from '../../statistics.ts';
import type { Query } from '../queries.ts';
import { coverageStatements, pageStatements } from './bare-statements.ts';
import type { Expected } from './expected.ts';

type Statement = { readonly text: string; readonly settings: string };
/** The two statements for a query, each with the settings that are fastest for it. */
export type BareStatements = { readonly coverage: Statement; readonly page: Statement };

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
 * The cheapest statements that we know for the coverage and the page of a query. They have two advantages over the api:
 * the page's times are known beforehand, and this archive has no duplicate row and no year that is done in part. Throws
 * when they do not find what the api returned.
 */
export async function findBareStatements(
  http: HttpClient,
  database: string,
  query: Query,
  expected: Expected,
): Promise<BareStatements> {
  const statements = {
    coverage: await fastest(http, `database=${database}`, coverageStatements(query)),
    page: await fastest(http, `database=${database}&${PRINTING}`, pageStatements(query, expected)),
  };
  await verify(http, statements, query, expected);
  return statements;
}

async function fastest(http: HttpClient, base: string, texts: readonly string[]): Promise<Statement> {
  let best: { statement: Statement; ms: number } | undefined;
  for (const text of texts)
    for (const setting of SETTINGS) {
      const statement = { text, settings: base + setting };
      const times: number[] = [];
      for (let trial = 0; trial < TRIALS; trial += 1)
        times.push((await http.query(text, statement.settings)).ms);
      const ms = median(times);
      if (best === undefined || ms < best.ms) best = { statement, ms };
    }
  if (best === undefined) throw new Error('No statement to choose from');
  return best.statement;
}

async function verify(
  http: HttpClient,
  { coverage, page }: BareStatements,
  query: Query,
  expected: Expected,
): Promise<void> {
  const ids = (await rowsOf(http, page)).map((row) => row.slice(7, row.indexOf('"', 7)));
  if (ids.join() !== expected.ids.join())
    throw new Error(`${query.name}: the bare engine returns another page than the api`);
  const done = new Map((await rowsOf(http, coverage)).map((row) => row.split('\t') as [string, string]));
  for (const [station, years] of expected.yearsDone)
    if (Number(done.get(station) ?? 0) !== years)
      throw new Error(`${query.name}: the bare engine returns another coverage of ${station} than the api`);
}

async function rowsOf(http: HttpClient, { text, settings }: Statement): Promise<readonly string[]> {
  const body = (await http.query(text, settings)).body.toString().trimEnd();
  return body === '' ? [] : body.split('\n');
}
