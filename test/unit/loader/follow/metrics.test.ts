import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { followMetrics } from '../../../../loader/follow/metrics.ts';

/** An archive that answers each statement with this text. */
const archiveWith = (answer: () => Promise<string>) =>
  ({ select: async () => Buffer.from(await answer()) }) as unknown as Archive;

describe('metrics of a follower', () => {
  const NOW = new Date('2024-03-01T12:00:00Z');
  const newMetrics = () => followMetrics(() => NOW, ['iem', 'ogimet']);
  /** The series of this project that are printed, with their values. */
  const series = async (metrics: ReturnType<typeof newMetrics>): Promise<readonly string[]> =>
    (await metrics.text()).match(/^history_.*$/gm) ?? [];

  it('claim nothing before the first cycle: zero requests and reports, and nothing else', async () => {
    assert.deepEqual(await series(newMetrics()), [
      'history_loader_requests_total{source="iem"} 0',
      'history_loader_requests_total{source="ogimet"} 0',
      'history_loader_reports_total{source="iem"} 0',
      'history_loader_reports_total{source="ogimet"} 0',
    ]);
  });

  it('have the age of the newest report as soon as the archive is open, also when no cycle ever ends', async () => {
    const metrics = newMetrics();
    metrics.watch(archiveWith(async () => `{"newest":${NOW.getTime() / 1000 - 7200}}`));
    assert.ok((await series(metrics)).includes('history_newest_report_age_seconds 7200'));
  });

  it('have the room on the disk of DATA_DIR, where the archive is in it', async () => {
    const printed = (dataDir: string) => series(followMetrics(() => NOW, ['iem'], dataDir));
    const text = (await printed(tmpdir())).join('\n');
    assert.match(text, /^history_data_dir_available_bytes [1-9]\d*$/m);
    assert.match(text, /^history_data_dir_size_bytes [1-9]\d*$/m);
    assert.doesNotMatch((await printed('/no/such/folder')).join('\n'), /data_dir/);
  });

  it('have no age of an archive without reports, nor of one that has never answered', async () => {
    for (const answer of [async () => '{"newest":null}', () => Promise.reject(new Error('gone'))]) {
      const metrics = newMetrics();
      metrics.watch(archiveWith(answer));
      assert.doesNotMatch((await series(metrics)).join('\n'), /age_seconds/);
    }
  });

  it('let the age rise while the archive does not answer', async () => {
    let now = NOW;
    const metrics = followMetrics(() => now, ['iem']);
    metrics.watch(archiveWith(async () => `{"newest":${NOW.getTime() / 1000}}`));
    await metrics.text();
    metrics.watch(archiveWith(() => Promise.reject(new Error('gone'))));
    now = new Date(NOW.getTime() + 60_000);
    assert.ok((await series(metrics)).includes('history_newest_report_age_seconds 60'));
  });
});
