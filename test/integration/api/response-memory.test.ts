import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { emptyDirectory } from '../../faults/archive.ts';
import { OBSERVATIONS, send } from '../../faults/clients/client.ts';
import { type Service, startService } from '../../faults/service.ts';
import { describeLong } from '../../support/long.ts';

const PAGE = `${OBSERVATIONS}?stations=XAAA,XAAB,XAAC,XAAD,XAAE,XAAF,XAAG&from=2024-01-01T00:00:00Z&to=2025-01-01T00:00:00Z&limit=10000&include=raw,decoded`;
const SETTINGS = { DEMO: 'on', PAGE_CACHE_MB: '16', RESPONSE_MEMORY_MB: '32' };
/** In addition to the page cache and the memory of responses. */
const LIMIT_MB = 300 + 16 + 32;

describeLong('memory of the process (D40)', () => {
  let service: Service;
  before(async () => {
    service = await startService({ dataDir: await emptyDirectory(), settings: SETTINGS });
  });
  after(() => service.stop());

  for (const encoding of ['gzip', 'br'])
    it(`stays bounded when one key requests 100 pages of 10,000 records at once in ${encoding}`, async () => {
      const key = await service.createKey();
      const headers = { 'accept-encoding': encoding };
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => send(service.url, { key, path: PAGE, headers })),
      );
      const labels = new Set(answers.map(({ label }) => label));
      assert.ok(labels.delete('200'));
      // Where the machine is too slow to send all of them in time.
      labels.delete('503 overloaded');
      assert.deepEqual([...labels], []);
      const peak = await peakMegabytes(service.pid);
      assert.ok(peak < LIMIT_MB, `${peak} MB`);
    });
});

async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
