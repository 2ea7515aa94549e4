import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mountSmallDisk } from '../../support/engine/small-disk.ts';
import { startLoader } from '../../support/loader/loader-process.ts';
import type { Fault } from '../fault.ts';
import { compare, environment, startSource } from '../loader/load-archive.ts';
import { enginePort, startService } from '../service.ts';

/** The exit code of the loader for a full disk (docs/loading.md). */
const DISK_FULL = 5;
const DISK_MB = 64;
/** What is left for the load: less than it needs. */
const FREE_BYTES = 700_000;

export const FULL_DISK: Fault = {
  name: 'The disk is full',
  does: 'exit code 5; with space, the same command goes on',
  action: `a load into a tmpfs of ${DISK_MB} MB with ${FREE_BYTES / 1000} kB free; then, with space, the same command`,
  async run() {
    const disk = mountSmallDisk(DISK_MB);
    if (disk === undefined) throw new Error('Only root can mount a small disk: run this fault as root');
    const source = await startSource(12);
    try {
      const dataDir = disk.path;
      const env = { ...environment({ dataDir }, source), ...(await enginePort()) };
      const status = await startLoader('status', env).ended;
      if (status.code !== 0) throw new Error(status.out);
      const { bavail, bsize } = await statfs(dataDir);
      const filler = join(dataDir, 'filler');
      await writeFile(filler, Buffer.alloc(bavail * bsize - FREE_BYTES));
      const full = await startLoader(source.args(0), env).ended;
      await rm(filler);
      const again = await startLoader(source.args(0), env).ended;
      const service = await startService({ dataDir });
      const result = await compare(service, source, await service.createKey()).finally(() =>
        service.kill('SIGTERM'),
      );
      await service.exit;
      return {
        notes: result.notes,
        breaches: [
          full.code !== DISK_FULL && `exit code ${full.code} instead of ${DISK_FULL}`,
          /^\s+at /m.test(full.out) && 'the loader prints a stack trace',
          again.code !== 0 && `the second run: exit code ${again.code}: ${again.out.slice(-200)}`,
          ...result.breaches,
        ],
      };
    } finally {
      await source.close();
      disk.remove();
    }
  },
};
