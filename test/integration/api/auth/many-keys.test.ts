import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKey, hashKey } from '../../../../api/auth/api-key.ts';
import { OBSERVATIONS } from '../../../support/api/api.ts';
import { freePort } from '../../../support/engine/engine.ts';
import { describeLong } from '../../../support/long.ts';
import { listeningUrl, type Running, run } from '../../../support/process.ts';
import { newFolder } from '../../../support/test-run.ts';

const RECORDS = 50_000;

describeLong('npm start with many keys in a file', () => {
  const dir = newFolder();
  let service: Running;
  let url: string;
  const keys = Array.from({ length: 60 }, generateKey);
  before(async () => {
    const others = Array.from({ length: RECORDS - keys.length }, (_, n) => hashKey(String(n)));
    const lines = [...others, ...keys.map(hashKey)].map((hash, n) => {
      const record = { id: `k${n}`, account: `account ${n}`, plan: 'professional', status: 'active' };
      const details = { createdAt: '2024-01-01T00:00:00.000Z', prefix: 'hist_abcd', last4: 'wxyz' };
      return `\n${JSON.stringify({ hash, record: { ...record, ...details } })}\n`;
    });
    await writeFile(join(dir, 'keys.jsonl'), lines.join(''));
    service = run('start', [], {
      PORT: '0',
      EMBEDDED_CLICKHOUSE_PORT: String(await freePort()),
      DATA_DIR: dir,
      DEMO: 'off',
    });
    url = await listeningUrl(service);
  });
  after(async () => {
    service.kill('SIGTERM');
    await service.finished;
  });

  async function statuses(sentKeys: readonly string[]): Promise<readonly number[]> {
    const responses = sentKeys.map(async (key) => {
      const response = await fetch(`${url}${OBSERVATIONS}?x=1`, {
        headers: { authorization: `Bearer ${key}` },
      });
      await response.arrayBuffer();
      return response.status;
    });
    return (await Promise.all(responses)).sort();
  }

  it('refuses 300 concurrent requests with unknown keys with 401 or 429', async () => {
    const received = await statuses(Array.from({ length: 300 }, generateKey));
    assert.equal(received.length, 300);
    assert.deepEqual([...new Set(received)], [401, 429]);
  });

  it('serves concurrent requests with valid keys', async () => {
    assert.deepEqual(
      await statuses(keys),
      keys.map(() => 400),
    );
  });
});
