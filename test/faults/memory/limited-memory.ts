import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, startService } from '../service.ts';

/** A process and all that it starts from now on, which together may take so much memory: as a container has it. */
export type LimitedMemory = {
  /** Processes that the kernel has killed because the memory was used up. */
  killed(): Promise<number>;
  /** Most that they have taken together, files that the kernel keeps for them included. */
  peakMegabytes(): Promise<number>;
  /** Call it when they have ended. */
  remove(): Promise<void>;
};

const MB = 1024 * 1024;
const ROOT = '/sys/fs/cgroup';

/** The names of both versions of cgroups. */
const VERSION_2 = { folder: ROOT, limit: 'memory.max', peak: 'memory.peak', killed: 'memory.events' };
const VERSION_1 = {
  folder: join(ROOT, 'memory'),
  limit: 'memory.limit_in_bytes',
  peak: 'memory.max_usage_in_bytes',
  killed: 'memory.oom_control',
};

export async function limitMemory(pid: number, megabytes: number): Promise<LimitedMemory> {
  const controllers = await readFile(join(ROOT, 'cgroup.controllers'), 'utf8').catch(() => '');
  const names = controllers.includes('memory') ? VERSION_2 : VERSION_1;
  const folder = join(names.folder, `faults-${pid}`);
  try {
    if (names === VERSION_2) await writeFile(join(ROOT, 'cgroup.subtree_control'), '+memory');
    await mkdir(folder);
    await writeFile(join(folder, names.limit), `${megabytes * MB}`);
    await writeFile(join(folder, 'cgroup.procs'), `${pid}`);
  } catch (cause) {
    await rmdir(folder).catch(() => {});
    throw new Error('NOT RUN: only root can limit memory, where the kernel lets it make a cgroup', { cause });
  }
  const read = async (name: string) => readFile(join(folder, name), 'utf8').catch(() => '');
  return {
    killed: async () => Number(/oom_kill (\d+)/.exec(await read(names.killed))?.[1] ?? 0),
    peakMegabytes: async () => Math.round(Number(await read(names.peak)) / MB),
    async remove() {
      // A process that was killed leaves its group a moment later.
      for (let attempt = 0; attempt < 50; attempt += 1)
        if (
          await rmdir(folder).then(
            () => true,
            () => false,
          )
        )
          return;
        else await sleep(100);
    },
  };
}

export type Container = {
  readonly service: Service;
  readonly memory: LimitedMemory;
  stop(): Promise<void>;
};

/** api and engine in one container of this size. */
export async function startInContainer(
  megabytes: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Container> {
  let memory: LimitedMemory | undefined;
  const service = await startService({
    settings,
    prepare: async (pid) => {
      memory = await limitMemory(pid, megabytes);
    },
  });
  if (memory === undefined) throw new Error('The memory is not limited');
  const { remove } = memory;
  const stop = async () => {
    await service.stop();
    await remove();
  };
  return { service, memory, stop };
}
