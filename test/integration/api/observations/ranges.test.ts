import assert from 'node:assert/strict';
import * as zlib from 'node:zlib';
import type { ObservationsPage } from '../../../../api/client/client.d.ts';
import { MEDIA_TYPES } from '../../../../api/contract/endpoint.ts';
import { OBSERVATIONS, startApiWithReports, type TestApi, useApi } from '../../../support/api/api.ts';
import { insert, put, report } from '../../../support/archive/archive.ts';
import { readArrow, readByDuckdb, readCsv } from '../../../support/archive/flat-records.ts';
import { recordId } from '../../../support/archive/records.ts';

const EXTENSIONS = ['.ndjson', '.csv', '.parquet', '.arrow'] as const;
const RANGE = 'from=2024-01-30T00:00:00Z&to=2024-02-02T00:00:00Z';
const QUERY = `stations=XAAC,XAAA,XAAB&${RANGE}`;

/** Three stations, three days, several reports of a station at one minute. */
function generateReports() {
  return Array.from({ length: 72 }, (_, hour) => new Date(Date.UTC(2024, 0, 30, hour)).toISOString()).flatMap(
    (at) =>
      ['XAAA', 'XAAB', 'XAAC'].flatMap((station) => [
        report({ at, station, raw: `METAR ${station} ${at}` }),
        report({ at, station, raw: `METAR ${station} ${at} SECOND` }),
        report({ at, station, type: 'SPECI', raw: `SPECI ${station} ${at}` }),
      ]),
  );
}

describe('streams of a range', () => {
  const all = generateReports();
  const sortKey = (one: (typeof all)[number]) =>
    `${one.observedAt} ${one.station} ${one.type} ${recordId(one)}`;
  const idsOf = (reports: typeof all) =>
    [...reports].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).map(recordId);
  const api = useApi(() => startApiWithReports(all));

  async function getIds(extension: string, response: Response): Promise<readonly string[]> {
    assert.equal(response.status, 200);
    const bytes = Buffer.from(await response.arrayBuffer());
    const idsOf = (rows: readonly { readonly id?: string }[]) => rows.map(({ id = '' }) => id);
    if (extension === '.csv') return idsOf(readCsv(bytes));
    if (extension === '.parquet') return idsOf((await readByDuckdb(bytes, 'read_parquet')).rows);
    if (extension === '.arrow') return idsOf(readArrow(bytes).rows);
    if (extension === '.json') return idsOf(JSON.parse(bytes.toString()).data);
    return idsOf(JSON.parse(`[${bytes.toString().trimEnd().replaceAll('\n', ',')}]`));
  }

  const get = async (path: string, options: Parameters<TestApi['get']>[1] = {}) =>
    api.get(path, { key: await api.createKey(), ...options });
  const getAll = async (extension: string, query: string) =>
    getIds(extension, await get(`${OBSERVATIONS}${extension}?${query}`));

  it('hold each record once, in the order of D12, of one type where type selects it', async () => {
    for (const extension of EXTENSIONS) {
      assert.deepEqual(await getAll(extension, QUERY), idsOf(all), extension);
      assert.deepEqual(await getAll(extension, `${QUERY}&order=desc`), idsOf(all).toReversed(), extension);
      const some = all.filter(({ station, type }) => station === 'XAAB' && type === 'SPECI');
      assert.deepEqual(await getAll(extension, `stations=XAAB&${RANGE}&type=speci`), idsOf(some), extension);
    }
  });

  it('end after limit records; X-Next-Cursor continues in any format (D33)', async () => {
    const formats = ['.csv', '.json', '.ndjson', '.parquet', '.arrow'];
    const expected = { asc: idsOf(all), desc: idsOf(all).toReversed() };
    for (const [order, limit] of [
      ['asc', 1],
      ['asc', 216],
      ['desc', 130],
      ['desc', all.length - 1],
    ] as const) {
      const ids: string[] = [];
      for (let cursor = '', turn = limit; ; turn += 1) {
        const extension = formats[turn % formats.length] ?? '';
        const response = await get(
          `${OBSERVATIONS}${extension}?${QUERY}&order=${order}&limit=${limit}${cursor}`,
        );
        const page = await getIds(extension, response.clone());
        ids.push(...page);
        const { headers } = response;
        const meta = extension === '.json' ? ((await response.json()) as ObservationsPage).meta : undefined;
        const next = meta ? meta.nextCursor : (headers.get('x-next-cursor') ?? undefined);
        assert.equal(page.length, Math.min(limit, all.length - ids.length + page.length));
        if (meta === undefined) assert.equal(headers.get('x-has-more'), String(next !== undefined));
        assert.equal(next === undefined, ids.length === all.length);
        if (next === undefined || ids.length > 4 * limit) break;
        cursor = `&cursor=${next}`;
      }
      assert.deepEqual(ids, expected[order].slice(0, ids.length), `limit ${limit} ${order}`);
      assert.ok(ids.length === all.length || ids.length > 4 * limit);
    }
  });

  it('say in headers what the envelope says, for GET and HEAD, exposed to browsers', async () => {
    for (const [format, type] of Object.entries(MEDIA_TYPES)) {
      if (format === 'json') continue;
      for (const method of ['GET', 'HEAD']) {
        const path = `${OBSERVATIONS}.${format}`;
        const { headers, status } = await get(`${path}?${QUERY}&limit=5`, { method });
        assert.equal(status, 200);
        assert.ok(headers.get('content-type')?.startsWith(type), format);
        assert.equal(headers.get('cache-control'), 'private, no-store');
        assert.equal(headers.get('etag'), null);
        assert.equal(headers.get('x-has-more'), 'true');
        assert.equal(headers.get('x-coverage-status'), 'partial');
        assert.equal(
          headers.get('content-disposition'),
          `attachment; filename="observations-XAAC-XAAA-XAAB-2024-01-30-2024-02-02.${format}"`,
        );
        assert.match(headers.get('x-ratelimit-remaining') ?? '', /^\d+$/);
        const links = headers.get('link') ?? '';
        const cursor = headers.get('x-next-cursor') ?? '';
        const [next = '', coverage = ''] = links.split(', ');
        assert.match(next, new RegExp(`^<${path}\\?.*&cursor=${cursor}>; rel="next"$`));
        assert.match(
          coverage,
          /^<\/v1\/history\/coverage\?stations=[^&]+&from=[^&]+&to=[^&]+>; rel="describedby"$/,
        );
        const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
        for (const name of 'x-has-more x-next-cursor x-coverage-status link content-disposition'.split(' '))
          assert.ok(exposed.includes(name), name);
        const described = await get(/<([^>]+)>; rel="describedby"/.exec(links)?.[1] ?? '');
        assert.equal(((await described.json()) as { data: unknown[] }).data.length, 3);
      }
    }
  });

  it('are counted by the bytes of their bodies, and requests with HEAD by no record', async () => {
    const own = await startApiWithReports(all);
    const { length } = await own.bytes(`${OBSERVATIONS}.parquet?${QUERY}`);
    await own.get(`${OBSERVATIONS}?${QUERY}`, { method: 'HEAD' });
    const text = await (await fetch(own.metricsUrl)).text();
    await own.stop();
    const sent = Number(/^history_stream_bytes_total\{format="parquet"\} (\d+)$/m.exec(text)?.[1]);
    // HTTP marks each chunk of a body.
    assert.ok(sent >= length && sent < length + 50, `${sent} of ${length}`);
    assert.match(text, new RegExp(`^history_records_served_total ${all.length}$`, 'm'));
  });

  it('leave out a link that would exceed 2 kB, and keep the other', async () => {
    const many = Array.from({ length: 272 }, (_, n) => `X${n.toString(36).toUpperCase().padStart(3, '0')}`);
    const { headers } = await get(`${OBSERVATIONS}.csv?stations=XAAA,${many}&${RANGE}&limit=1`);
    assert.ok(headers.get('x-next-cursor'));
    assert.match(headers.get('content-disposition') ?? '', /"observations-273-stations-2024/);
    assert.match(headers.get('link') ?? '', /^<[^>]+>; rel="describedby"$/);
  });

  it('without records are the header of CSV, or a file with the schema alone', async () => {
    for (const extension of EXTENSIONS) {
      const range = 'from=1990-01-01T00:00:00Z&to=2023-02-01T00:00:00Z';
      const response = await get(`${OBSERVATIONS}${extension}?stations=XAAA&${range}`);
      assert.equal(response.headers.get('x-coverage-status'), 'none');
      const bytes = Buffer.from(await response.clone().arrayBuffer());
      assert.deepEqual(await getIds(extension, response), []);
      if (extension === '.csv')
        assert.equal(bytes.toString(), '"id","station","observedAt","type","parseStatus","raw"\r\n');
      if (extension === '.parquet')
        assert.equal(Object.keys((await readByDuckdb(bytes, 'read_parquet')).types).length, 6);
      if (extension === '.arrow') assert.equal(Object.keys(readArrow(bytes).types).length, 6);
    }
  });

  it('are compressed where they are text: as Accept-Encoding prefers, else by what costs least', async () => {
    const cheapest = 'createZstdCompress' in zlib ? 'zstd' : 'br';
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['gzip, deflate, br, zstd', cheapest],
      ['zstd', cheapest === 'zstd' ? 'zstd' : null],
      ['zstd;q=0.1, br;q=0.5, gzip', 'gzip'],
      ['zstd;q=0, br;q=0, gzip;q=0', null],
      ['identity', null],
      ['*;q=0', null],
    ] as const)
      for (const extension of accepted === 'gzip' ? EXTENSIONS : (['.csv'] as const)) {
        const headers = { 'accept-encoding': accepted };
        const response = await get(`${OBSERVATIONS}${extension}?${QUERY}`, { headers });
        const expected = extension === '.csv' || extension === '.ndjson' ? encoding : null;
        assert.equal(response.headers.get('content-encoding'), expected, `${extension} ${accepted}`);
        assert.equal((await getIds(extension, response)).length, all.length);
      }
  });

  it('are chosen by Accept with its q-values, or by the extension whatever Accept says', async () => {
    const typeOf = async (path: string, accept: string) =>
      (await get(`${path}?${QUERY}`, { headers: { accept } })).headers.get('content-type')?.split(';')[0];
    const cases: Record<string, string> = {
      'text/csv': 'text/csv',
      'text/csv; charset=utf-8': 'text/csv',
      'application/json;q=0.5, text/csv;q=0.9': 'text/csv',
      'text/csv;q=0.1, application/x-ndjson;q=0.2': 'application/x-ndjson',
      'text/*': 'text/csv',
      'application/vnd.apache.parquet, */*;q=0.1': 'application/vnd.apache.parquet',
      'application/vnd.apache.arrow.stream': 'application/vnd.apache.arrow.stream',
      '*/*': 'application/json',
      'text/html,application/xhtml+xml,*/*;q=0.8': 'application/json',
      'application/json;q=0, */*': 'application/x-ndjson',
    };
    for (const [accept, type] of Object.entries(cases))
      assert.equal(await typeOf(OBSERVATIONS, accept), type, accept);
    assert.equal(await typeOf(`${OBSERVATIONS}.csv`, 'application/json'), 'text/csv');
    assert.equal(await typeOf(`${OBSERVATIONS}.json`, 'text/csv'), 'application/json');
    assert.equal(await typeOf(`${OBSERVATIONS}.arrow`, 'image/png'), MEDIA_TYPES.arrow);
  });

  it('are whole or 400 with their number, also for sandbox keys; with limit headers say that more follows (D85)', async () => {
    const minutes = Array.from({ length: 10_001 }, (_, n) =>
      report({ at: new Date(Date.UTC(2024, 4, 1, 0, n)).toISOString(), station: 'XAAM' }),
    );
    await insert(api.archive, ...minutes.map((one) => put(one)));
    const range = `stations=XAAM&from=2024-05-01T00:00:00Z&to=2024-06-01T00:00:00Z`;
    const hours = `stations=XAAM,XAAA&from=2023-01-01T00:00:00Z&to=2024-01-01T00:00:00Z`;
    const ask = async (path: string) => get(path, { key: await api.createKey('sandbox') });
    for (const extension of EXTENSIONS) {
      for (const [path, number] of [
        [`${OBSERVATIONS}${extension}?${range}`, 'about 10,001 records'],
        [`/v1/history/hourly${extension}?${hours}`, '17,520 hours of all stations together'],
      ] as const) {
        const said = await api.refusal(path, { key: await api.createKey('sandbox') });
        assert.match(said, new RegExp(`limit must be given: the range holds ${number}, .* at most 10,000`));
        const cut = await ask(`${path}&limit=5`);
        await cut.arrayBuffer();
        assert.deepEqual([cut.status, cut.headers.get('x-has-more')], [200, 'true'], path);
      }
      const whole = await ask(`${OBSERVATIONS}${extension}?${range.replace('T00:00', 'T00:01')}`);
      assert.equal(whole.headers.get('x-has-more'), 'false');
      assert.equal((await getIds(extension, whole)).length, 10_000);
    }
  });
});
