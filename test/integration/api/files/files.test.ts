import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MANIFEST, UNFINISHED } from '../../../../clickhouse/snapshot/manifest.ts';
import { startApi, startApiWithoutArchive, type TestApi } from '../../../support/api/api.ts';
import { assertProblem } from '../../../support/api/problem.ts';
import { emptyArchive, insert, put, report, type TestArchive } from '../../../support/archive/archive.ts';
import { until } from '../../../support/engine/engine.ts';
import { exportTo, readManifest } from '../../../support/snapshot/snapshot.ts';
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

  it('are listed with the values by which a reader chooses', async () => {
    for (const path of [FILES, FILES.slice(0, -1)]) {
      type Body = { data: Record<string, unknown>[]; meta: { reports: number } };
      const { data, meta } = await api.json<Body>(path);
      assert.equal(meta.reports, 1500);
      const { bytes, year, firstStation, lastStation } = data.find((each) => each.path === PATH) ?? {};
      assert.deepEqual([bytes, year, firstStation, lastStation], [file.length, 2024, 'XAAA', 'XAAC']);
    }
  });

  it('are sent whole and by HEAD, and not again while they are the same', async () => {
    const whole = await api.get(FILES + PATH);
    assert.equal(whole.headers.get('content-type'), 'application/vnd.apache.parquet');
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), file);
    assert.equal(
      whole.headers.get('content-disposition'),
      'attachment; filename="reports-year=2024-00001.parquet"',
    );
    const head = await api.get(FILES + PATH, { method: 'HEAD' });
    assert.equal(head.headers.get('content-length'), String(file.length));
    assert.equal(head.headers.get('accept-ranges'), 'bytes');
    for (const path of [FILES, FILES + PATH]) {
      const headers = { 'If-None-Match': (await api.get(path)).headers.get('etag') ?? '' };
      assert.equal((await api.get(path, { headers })).status, 304, path);
    }
  });

  it('are sent in the ranges of RFC 9110, 14.1.2', async () => {
    const size = file.length;
    const etag = (await api.get(FILES + PATH, { method: 'HEAD' })).headers.get('etag') as string;
    for (const [range, start, end, more = {}] of [
      ['bytes=0-3', 0, 4],
      ['bytes=-8', size - 8, size],
      [`bytes=-${size + 1}`, 0, size],
      [`bytes=5-${size + 9}`, 5, size],
      ['Bytes=5-', 5, size],
      ['bytes=0-3', 0, 4, { 'If-Range': etag }],
      // Those are ignored: the whole file.
      ['bytes=0-3', undefined, size, { 'If-Range': '"another"' }],
      ['bytes=5-2', undefined, size],
      ['bytes=0-3,5-8', undefined, size],
      ['bytes=-', undefined, size],
      ['lines=0-3', undefined, size],
    ] as const) {
      const part = await api.get(FILES + PATH, { headers: { Range: range, ...more } });
      const bytes = Buffer.from(await part.arrayBuffer());
      assert.ok(bytes.equals(file.subarray(start, end)), range);
      const isPart = start !== undefined;
      assert.deepEqual(
        [part.status, part.statusText],
        isPart ? [206, 'Partial Content'] : [200, 'OK'],
        range,
      );
      assert.equal(part.headers.get('content-range'), isPart ? `bytes ${start}-${end - 1}/${size}` : null);
    }
    for (const range of [`bytes=${size}-`, 'bytes=-0']) {
      const beyond = await api.get(FILES + PATH, { headers: { Range: range } });
      assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${size}`], range);
    }
  });

  it('are only those of the snapshot, and take no parameters', async () => {
    for (const path of [
      ...['manifest.json', 'reports', 'reports/year=2024/00002.parquet', '../keys.jsonl'],
      ...['..%2fkeys.jsonl', 'reports/..%2f..%2f..%2fetc/passwd', '%00'],
    ])
      await assertProblem(await api.get(FILES + path), 404, 'not_found');
    for (const path of [FILES, FILES + PATH])
      assert.equal(
        await api.refusal(`${path}?year=2024&year=2025`),
        'year is unknown: files take no parameters',
      );
  });

  it('are not sent where the folder holds something else under their names', async () => {
    const other = newFolder();
    await cp(folder, other, { recursive: true });
    const served = await startApi(archive.client, { archiveFiles: other });
    const statusOf = async () => (await served.get(FILES + PATH)).status;
    const path = join(other, PATH);
    assert.equal(await statusOf(), 200);
    await truncate(path, file.length - 1);
    assert.equal(await statusOf(), 503, 'another size');
    await rm(path);
    await symlink(join(folder, PATH), path);
    assert.equal(await statusOf(), 503, 'a link to a file');
    await rm(dirname(path), { recursive: true });
    await symlink(join(folder, dirname(PATH)), dirname(path));
    assert.equal(await statusOf(), 503, 'a link to a folder');
    await served.stop();
  });

  it('have the tag of their bytes while the link to their folder is replaced', async () => {
    const [first, second, link] = [newFolder(), newFolder(), join(newFolder(), 'current')];
    await cp(folder, first, { recursive: true });
    await insert(archive.client, put(report({ station: 'XAAD', at: '2024-01-01T00:00:00Z' })));
    await exportTo(archive.client, second);
    await symlink(first, link);
    const served = await startApi(archive.client, { archiveFiles: link });
    const tags = new Set<string>();
    const swaps = (async () => {
      for (let n = 0; n < 40; n += 1) {
        await symlink(n % 2 === 0 ? second : first, `${link}.new`);
        await rename(`${link}.new`, link);
        await sleep(5);
      }
    })();
    for (let n = 0; n < 40; n += 1) {
      const response = await served.get(FILES + PATH);
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('etag'), `"${hash('sha256', bytes)}"`);
      tags.add(response.headers.get('etag') as string);
    }
    await swaps;
    assert.equal(tags.size, 2);
    await served.stop();
  });

  it('are sent to at most eight readers of a key, and to other keys meanwhile', async () => {
    const large = newFolder();
    await cp(folder, large, { recursive: true });
    const bytes = 64 * 1024 * 1024;
    await truncate(join(large, PATH), bytes);
    const manifest = await readManifest(large);
    const files = manifest.files.map((each) => (each.path === PATH ? { ...each, bytes } : each));
    await writeFile(join(large, MANIFEST), JSON.stringify({ ...manifest, files }));
    const served = await startApi(archive.client, { archiveFiles: large });
    const [key, other] = [await served.createKey(), await served.createKey()];
    const answers = await Promise.all(Array.from({ length: 9 }, () => served.get(FILES + PATH, { key })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(8).fill(200), 503]);
    const refused = answers.find(({ status }) => status === 503) ?? assert.fail();
    assert.match(
      (await assertProblem(refused, 503, 'overloaded')).detail,
      /^This key has 8 downloads under way/,
    );
    assert.equal((await served.get(FILES + PATH, { key: other })).status, 200);
    assert.equal((await served.get(FILES + PATH, { key, method: 'HEAD' })).status, 200);
    for (const { body, status } of answers) if (status === 200) await body?.cancel();
    await until(async () => (await served.get(FILES + PATH, { key })).status === 200);
    await served.stop();
  });

  it('are not served while an export writes them', async () => {
    const [manifest, unfinished] = [join(folder, MANIFEST), join(folder, UNFINISHED)];
    await rename(manifest, unfinished);
    for (const path of [FILES, FILES + PATH])
      await assertProblem(await api.get(path), 503, 'storage_unavailable');
    await rename(unfinished, manifest);
    assert.equal((await api.get(FILES)).status, 200);
  });

  it('are 404 with the setting to set where there are none, and a folder without a snapshot stops the start', async () => {
    const without = await startApiWithoutArchive();
    const { detail } = await assertProblem(await without.get(FILES), 404, 'not_found');
    assert.match(detail, /ARCHIVE_FILES/);
    await without.stop();
    const empty = join(folder, '..', `${Date.now()}`);
    await mkdir(empty);
    await assert.rejects(startApiWithoutArchive({ archiveFiles: empty }), /holds no snapshot/);
  });
});
