import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { useArchive } from '../../support/archive/use-archive.ts';

describe('a statement whose signal has aborted before', () => {
  const archive = useArchive();

  it('is rejected and not sent, of whatever kind', async () => {
    const { client } = archive;
    const table = 'aborted_before';
    await client.command({ query: `CREATE TABLE ${table} (n UInt8) ENGINE = MergeTree ORDER BY n` });
    const query = `INSERT INTO ${table} VALUES (1)`;
    const aborted = AbortSignal.abort();
    const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
      select: () => client.select({ query }, aborted),
      stream: () => client.stream({ query }, aborted),
      insert: () => client.insert({ table, rows: [{ n: 1 }] }, aborted),
      insertFile: () =>
        client.insertFile({ query: `INSERT INTO ${table} FORMAT CSV` }, Buffer.from('1\n'), aborted),
      command: () => client.command({ query }, aborted),
    };
    for (const [kind, send] of Object.entries(kinds))
      await assert.rejects(send, { name: 'AbortError' }, `${kind} was sent`);
    const rows = await client.select({ query: `SELECT count() FROM ${table} FORMAT TSV` });
    assert.equal(Number(rows), 0);
  });
});
