import Koa from 'koa';
import type { Query } from '../../read/queries.ts';
import { duckdbPages } from '../duckdb/duckdb-pages.ts';
import { postgresPages } from '../postgres/postgres-pages.ts';

/**
 * The smallest service over another database: Koa, a pool of connections, keyset pages whose JSON text the database makes.
 * It has no keys, no limits, no coverage and no checks.
 *
 *     peer-server.ts postgres SOCKET-FOLDER | duckdb PARQUET-FILE
 */
const [kind, where = ''] = process.argv.slice(2);
const readPage: (query: Query) => Promise<string> =
  kind === 'postgres' ? await postgresPages(where) : await duckdbPages(where);

const app = new Koa();
app.use(async (ctx) => {
  ctx.type = 'json';
  ctx.body = await readPage(JSON.parse(String(ctx.query.page)));
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
