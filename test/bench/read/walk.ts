import { gunzipSync } from 'node:zlib';
import type { Position } from '../../../clickhouse/model/report.ts';
import type { HttpResponse } from '../http-client.ts';
import { type Api, requestPage } from './api.ts';
import type { Query } from './queries.ts';

type WalkPage = { readonly query: Query; readonly response: HttpResponse; readonly records: number };

/** Requests page after page of a query, each with the cursor that follows the page before. */
export async function* walk(api: Pick<Api, 'page'>, first: Query): AsyncGenerator<WalkPage> {
  for (let query: Query | undefined = first; query !== undefined; ) {
    const response = await requestPage(api, query);
    const body: Buffer = query.encoding === 'gzip' ? gunzipSync(response.body) : response.body;
    const end = body.lastIndexOf('],"meta":');
    const { meta } = JSON.parse(`{${body.toString('utf8', end + 2)}`);
    const records: number = meta.hasMore ? query.limit : JSON.parse(body.toString()).data.length;
    yield { query, response, records };
    query = meta.hasMore ? { ...query, after: lastPosition(body, end) } : undefined;
  }
}

/** Reads the last record alone: parsing a page takes longer than the api needs for it. */
function lastPosition(body: Buffer, end: number): Position {
  const start = body.lastIndexOf('{"id":"', end);
  const { id, station, observedAt, type } = JSON.parse(body.toString('utf8', start, end));
  return { station, observedAt: Date.parse(observedAt) / 1000, type, fingerprint: id.slice(-8) };
}
