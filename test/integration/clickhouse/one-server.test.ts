import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Archive, canceledBy } from '../../../clickhouse/archive.ts';
import { useArchive } from '../../support/archive/use-archive.ts';

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
