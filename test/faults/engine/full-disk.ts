import { execFile } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startLoader } from '../../support/loader/loader-process.ts';
import { emptyDirectory } from '../archive.ts';
import { Answers } from '../clients/answers.ts';
import type { Fault, Outcome } from '../fault.ts';
import { type LoadSource, startSource } from '../loader/load-archive.ts';
import { compare, enginePort, environment } from '../loader/load-kills.ts';
import { startService } from '../service.ts';

/** The exit code of the loader for a full disk (docs/loading.md). */
const DISK_FULL = 5;
const DISK = '64m';
/** What is left for the load: less than it needs. */
const FREE_BYTES = 700_000;

export const FULL_DISK: readonly Fault<undefined>[] = [
  {
    name: 'The disk is full',
    does: 'exit code 5; with space, the same command goes on',
    action: `a load into a tmpfs of ${DISK} with ${FREE_BYTES / 1000} kB free; then, with space, the same command`,
    expect: { answers: [], longestWaitMs: 0 },
    async run() {
      if (process.getuid?.() !== 0)
        throw new Error('Only root can mount a small disk: run this fault as root');
      const dataDir = await emptyDirectory();
      const source = await startSource(12);
      await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', dataDir]);
      try {
        return await loadIntoFullDisk(dataDir, source);
      } finally {
        await source.close();
        await promisify(execFile)('umount', ['-l', dataDir]);
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  },
];

async function loadIntoFullDisk(dataDir: string, source: LoadSource): Promise<Outcome> {
  const env = { ...environment({ dataDir }, source), ...(await enginePort()) };
  const filler = join(dataDir, 'filler');
  const { code: status, out: before } = await startLoader('status', env).ended;
  if (status !== 0) throw new Error(before);
  const { bavail, bsize } = await statfs(dataDir);
  await writeFile(filler, Buffer.alloc(bavail * bsize - FREE_BYTES));
  const full = await startLoader(source.args(0), env).ended;
  await rm(filler);
  const again = await startLoader(source.args(0), env).ended;
  const service = await startService({ dataDir });
  const key = await service.createKey();
  const result = await compare(service, source, key).finally(() => service.kill('SIGTERM'));
  await service.exit;
  const lines = full.out.trim().split('\n');
  const hasStack = lines.some((line) => /^\s+at /.test(line));
  return {
    answers: new Answers(),
    notes: result.notes,
    breaches: [
      ...(full.code === DISK_FULL ? [] : [`exit code ${full.code} instead of ${DISK_FULL}`]),
      ...(hasStack ? ['the loader prints a stack trace'] : []),
      ...(again.code === 0
        ? result.breaches
        : [`the second run: exit code ${again.code}: ${again.out.slice(-200)}`]),
    ],
  };
}
