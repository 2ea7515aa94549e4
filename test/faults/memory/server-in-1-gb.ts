import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startServerAsInCompose } from '../../support/engine/server-as-in-compose.ts';
import { emptyDirectory } from '../archive.ts';
import { Answers } from '../clients/answers.ts';
import type { Fault } from '../fault.ts';
import { type LimitedMemory, limitMemory } from './limited-memory.ts';

const SERVER_CONFIG = new URL('../../../clickhouse/server/config.d/history.xml', import.meta.url);
/**
 * Starts Node when its memory is limited, and shows it the limit where a container has it. (With version 1 of cgroups a
 * server of ClickHouse looks there, with version 2 at that of its own group.)
 */
const IN_CONTAINER = `#!/bin/sh
group=/sys/fs/cgroup/memory/faults-$$
if [ -d /sys/fs/cgroup/memory ]; then
  until grep -qx $$ $group/cgroup.procs; do sleep 0.05; done 2>/dev/null
  exec unshare --mount sh -c 'mount --bind $0 /sys/fs/cgroup/memory && exec "$@"' $group ${process.execPath} "$@"
fi
exec ${process.execPath} "$@"
`;
const GREEDY = 'SELECT length(groupArray(number)) FROM numbers(400000000)';

/** A server takes 0.8 of the memory that there is, and refuses what needs more. */
export const SERVER_IN_1_GB: Fault = {
  name: '1 GB: statements of a server that want more memory than there is',
  does: 'refuses them and keeps running',
  action:
    'a server with the memory of clickhouse/server/config.d/history.xml in a container of 1 GB; three statements at once, each an array of 3 GB',
  expect: {
    answers: ['MEMORY_LIMIT_EXCEEDED'],
    required: ['MEMORY_LIMIT_EXCEEDED'],
    longestWaitMs: 60_000,
  },
  async run() {
    const folder = await emptyDirectory();
    await mkdir(join(folder, 'config.d'));
    // This program cannot read the first section.
    const config = (await readFile(SERVER_CONFIG, 'utf8')).replace(/<compression>[\s\S]*<\/compression>/, '');
    await writeFile(join(folder, 'config.d', 'history.xml'), config);
    let memory: LimitedMemory | undefined;
    const wrapper = join(folder, 'in-container');
    await writeFile(wrapper, IN_CONTAINER, { mode: 0o755 });
    const server = await startServerAsInCompose(folder, folder, {
      execPath: wrapper,
      prepare: async (pid) => {
        memory = await limitMemory(pid, 1024);
      },
    });
    try {
      const answers = new Answers();
      const ask = async () => {
        const started = performance.now();
        const error = await server.run(GREEDY).catch(String);
        const label = /MEMORY_LIMIT_EXCEEDED/.exec(error)?.[0] ?? error.slice(0, 200);
        answers.addLabel(label, performance.now() - started);
      };
      await Promise.all([ask(), ask(), ask()]);
      const still = await server.run('SELECT 1').catch(String);
      const killed = (await memory?.killed()) ?? 0;
      return {
        answers,
        notes: [`server ${await memory?.peakMegabytes()} MB`],
        breaches: [
          killed > 0 && `the kernel killed ${killed} processes`,
          still !== '1' && `afterwards: ${still}`,
        ],
      };
    } finally {
      await server.kill();
      await memory?.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
