import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type Archive, canceledBy } from '../../../clickhouse/archive.ts';
import { openArchive } from '../../../clickhouse/client.ts';
import { ArchiveChanges } from '../../../clickhouse/coverage/changes.ts';
import { storageFailure } from '../../../clickhouse/errors.ts';
import { insert, NO_LIMIT, put, report, useArchive } from '../../support/archive/archive.ts';
import { list, recordDone } from '../../support/archive/ledger.ts';
import { openRelay, type Relay } from '../../support/relay.ts';

describe('servers of a list', () => {
  const archive = useArchive();
  let relays: readonly [Relay, Relay];
  let client: Archive;
  beforeEach(async () => {
    const port = Number(new URL(archive.url).port);
    relays = [await openRelay({ port, host: '127.0.0.1' }), await openRelay({ port, host: '127.0.0.1' })];
    const url = relays.map((relay) => `http://127.0.0.1:${relay.port}`).join(',');
    client = openArchive({ url, username: 'default', password: '', database: archive.database });
  });
  afterEach(async () => {
    await client.close();
    for (const relay of relays) await relay.refuse();
  });

  const select = async (signal = NO_LIMIT) =>
    (await client.select({ query: 'SELECT 1 FORMAT TabSeparated' }, signal)).toString();

  it('are used one at a time: a query that the first refuses gets its answer from the second', async () => {
    assert.equal(await select(), '1\n');
    assert.equal(client.countServerChanges(), 0);
    await relays[0].refuse();
    assert.deepEqual(await Promise.all([select(), select(), select()]), ['1\n', '1\n', '1\n']);
    assert.equal(client.countServerChanges(), 1);
    await relays[0].restore();
    assert.equal(await select(), '1\n');
    assert.equal(client.countServerChanges(), 1, 'the client stays with the second');
  });

  it('return to the first when the second fails', async () => {
    await relays[0].refuse();
    await select();
    await relays[0].restore();
    await relays[1].refuse();
    assert.equal(await select(), '1\n');
    assert.equal(client.countServerChanges(), 2);
  });

  it('are unavailable when all refuse, and serve again without a restart', async () => {
    for (const relay of relays) await relay.refuse();
    await assert.rejects(select(), (error) => storageFailure(error) === 'unavailable');
    await relays[1].restore();
    assert.equal(await select(), '1\n');
  });

  it('are pinged one after the other, until one answers', async () => {
    await relays[0].refuse();
    await client.ping();
    await relays[1].refuse();
    await assert.rejects(client.ping());
  });

  it('are left by a ping that gets no answer in time', async () => {
    relays[0].silence();
    await assert.rejects(client.ping(AbortSignal.timeout(300)));
    await client.ping();
    assert.equal(await select(), '1\n');
  });

  it('are not left by a statement with an error, nor by one that is cancelled', async () => {
    await assert.rejects(client.select({ query: 'SELECT missing' }));
    relays[0].silence();
    await assert.rejects(select(AbortSignal.timeout(200)));
    assert.equal(client.countServerChanges(), 0);
  });

  it('refuse an insert that was sent in part, which another server must not get a second time', async () => {
    await relays[0].refuse();
    await assert.rejects(client.insert({ table: 'stations', rows: Readable.from([Buffer.of(0, 0)]) }));
    assert.equal(await select(), '1\n');
  });

  it('have all coverage read again after a change of the server', async () => {
    await recordDone(client, '2024-01-01', '2024-02-01');
    await list(client, {});
    await insert(client, put(report({ at: '2024-01-01T00:00:00Z' })));
    const changes = new ArchiveChanges(client);
    assert.equal(await changes.read(NO_LIMIT), 'all');
    assert.deepEqual(await changes.read(NO_LIMIT), new Set());
    await relays[0].refuse();
    assert.equal(await changes.read(NO_LIMIT), 'all');
    assert.deepEqual(await changes.read(NO_LIMIT), new Set());
  });
});

describe('a statement whose signal has aborted before', () => {
  const archive = useArchive();

  it('is rejected and not sent, of whatever kind', async () => {
    const { client } = archive;
    const table = 'aborted_before';
    await client.command({ query: `CREATE TABLE ${table} (n UInt8) ENGINE = MergeTree ORDER BY n` });
    const query = `INSERT INTO ${table} VALUES (1)`;
    const aborted = AbortSignal.abort();
    const kinds = (archive: Archive, signal?: AbortSignal) => ({
      select: () => archive.select({ query }, signal),
      stream: () => archive.stream({ query }, signal),
      insert: () => archive.insert({ table, rows: [{ n: 1 }] }, signal),
      insertFile: () =>
        archive.insertFile({ query: `INSERT INTO ${table} FORMAT CSV` }, Buffer.from('1\n'), signal),
      command: () => archive.command({ query }, signal),
      ping: () => archive.ping(signal),
    });
    for (const sends of [kinds(client, aborted), kinds(canceledBy(aborted, client))])
      for (const [kind, send] of Object.entries(sends))
        await assert.rejects(send, { name: 'AbortError' }, `${kind} was sent`);
    const rows = await client.select({ query: `SELECT count() FROM ${table} FORMAT TSV` });
    assert.equal(Number(rows), 0);
  });
});
