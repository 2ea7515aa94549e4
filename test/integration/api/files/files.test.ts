import assert from 'node:assert/strict';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { MANIFEST, UNFINISHED } from '../../../../clickhouse/snapshot/manifest.ts';
import { startApi, startApiWithoutArchive, type TestApi } from '../../../support/api/api.ts';
import { emptyArchive, insert, put, report, type TestArchive } from '../../../support/archive/archive.ts';
import { exportTo } from '../../../support/snapshot/snapshot.ts';
import { newFolder } from '../../../support/test-run.ts';

const FILES = '/v1/history/files/';
const PATH = 'reports/year=2024/00001.parquet';

describe('the files of the archive', () => {
  const folder = newFolder();
  let archive: TestArchive;
  let api: TestApi;
  let file: Buffer;
  before(async () => {
    archive = await emptyArchive();
    const stations = ['XAAA', 'XAAB', 'XAAC'];
    const hours = Array.from({ length: 500 }, (_, n) => new Date(Date.UTC(2024, 0, 1, n)).toISOString());
    await insert(
      archive.client,
      ...stations.flatMap((station) => hours.map((at) => put(report({ station, at })))),
    );
    await exportTo(archive.client, folder);
    file = await readFile(join(folder, PATH));
    api = await startApi(archive.client, { archiveFiles: folder });
  });
  after(async () => {
    await api.stop();
    await archive.close();
  });

  it('are listed with what a reader chooses by', async () => {
    for (const path of [FILES, FILES.slice(0, -1)]) {
      const { data, meta } = await api.json<{
        data: { path: string; bytes: number; year?: number; firstStation?: string; lastStation?: string }[];
        meta: { reports: number };
      }>(path);
      assert.equal(meta.reports, 1500);
      const listed = data.find((each) => each.path === PATH);
      assert.equal(listed?.bytes, file.length);
      assert.deepEqual([listed?.year, listed?.firstStation, listed?.lastStation], [2024, 'XAAA', 'XAAC']);
    }
  });

  it('are sent whole, in ranges, and by HEAD, and not again while they are the same', async () => {
    const whole = await api.get(FILES + PATH);
    assert.equal(whole.headers.get('content-type'), 'application/vnd.apache.parquet');
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), file);
    const tag = whole.headers.get('etag') as string;

    const head = await api.get(FILES + PATH, { method: 'HEAD' });
    assert.equal(head.headers.get('content-length'), String(file.length));
    assert.equal(head.headers.get('accept-ranges'), 'bytes');

    const part = await api.get(FILES + PATH, { headers: { Range: 'bytes=-8' } });
    assert.deepEqual([part.status, part.statusText], [206, 'Partial Content']);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), file.subarray(-8));
    const other = await api.get(FILES + PATH, { headers: { Range: 'bytes=0-3', 'If-Range': '"another"' } });
    assert.equal(other.status, 200, 'of another file than the first range');
    await other.arrayBuffer();

    assert.equal((await api.get(FILES + PATH, { headers: { 'If-None-Match': tag } })).status, 304);
    const beyond = await api.get(FILES + PATH, { headers: { Range: `bytes=${file.length}-` } });
    assert.equal(beyond.status, 416);
    assert.equal(beyond.headers.get('content-range'), `bytes */${file.length}`);
  });

  it('let a reader fetch only the columns that it needs', async () => {
    const key = await api.createKey('starter');
    let bytes = 0;
    const counting: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      bytes += Number(response.headers.get('content-length'));
      return response;
    };
    const options = { requestInit: { headers: { authorization: `Bearer ${key}` } }, fetch: counting };
    const source = await asyncBufferFromUrl({ url: api.url + FILES + PATH, ...options });
    const metadata = await parquetMetadataAsync(source, { initialFetchSize: 20_000 });
    bytes = 0;
    const rows = await parquetReadObjects({
      file: source,
      metadata,
      columns: ['station', 'temp_c'],
      compressors,
    });
    assert.equal(rows.length, 1500);
    assert.ok(bytes < file.length / 4, `${bytes} of ${file.length} bytes`);
  });

  it('are for keys of the plans starter and professional', async () => {
    for (const [plan, status] of [
      ['sandbox', 404],
      ['starter', 200],
    ] as const) {
      const response = await api.get(FILES + PATH, { key: await api.createKey(plan) });
      assert.equal(response.status, status, plan);
      await response.arrayBuffer();
    }
    assert.equal((await api.get(FILES + PATH, { key: null })).status, 401);
    assert.equal((await api.get(FILES + PATH, { method: 'POST' })).status, 405);
    for (const line of api.logLines.slice(-4))
      if (line.includes('"request"')) assert.match(line, /"key":|401|405/);
  });

  it('are those of the snapshot alone', async () => {
    for (const path of [
      'manifest.json',
      'reports',
      'reports/year=2024/00002.parquet',
      '../keys.jsonl',
      '..%2fkeys.jsonl',
      'reports/..%2f..%2f..%2fetc/passwd',
      '%00',
    ]) {
      const response = await api.get(FILES + path);
      assert.equal(response.status, 404, path);
      assert.equal(((await response.json()) as { code: string }).code, 'not_found', path);
    }
  });

  it('are not served while an export writes them', async () => {
    const [manifest, unfinished] = [MANIFEST, UNFINISHED].map((name) => join(folder, name)) as [
      string,
      string,
    ];
    await rename(manifest, unfinished);
    for (const path of [FILES, FILES + PATH]) {
      const response = await api.get(path);
      assert.equal(response.status, 503);
      assert.equal(((await response.json()) as { code: string }).code, 'storage_unavailable');
    }
    await rename(unfinished, manifest);
    assert.equal((await api.get(FILES)).status, 200);
  });

  it('are told of where there are none, and a folder without a snapshot stops the start', async () => {
    const without = await startApiWithoutArchive();
    const response = await without.get(FILES);
    assert.match(((await response.json()) as { detail: string }).detail, /ARCHIVE_FILES/);
    await without.stop();
    const empty = join(folder, '..', `${Date.now()}`);
    await mkdir(empty);
    await assert.rejects(startApiWithoutArchive({ archiveFiles: empty }), /holds no snapshot/);
  });
});
