import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyOfArchive } from '../archive.ts';
import { Answers } from '../clients/answers.ts';
import { send } from '../clients/client.ts';
import type { Fault } from '../fault.ts';
import { startService } from '../service.ts';

/** What `engine.json` holds before the start; `pid` is a process that is no engine. */
const RECORDS: Readonly<Record<string, { readonly action: string; readonly text: (pid: number) => string }>> =
  {
    'engine.json is empty': { action: 'a start over an empty engine.json', text: () => '' },
    'engine.json is damaged': {
      action: 'a start over half a record',
      text: () => '{"pid": 12, "instance": "',
    },
    'engine.json is stale': {
      action: 'a start over the record of an engine that ended',
      text: () => record({ pid: 2 ** 22 + 1 }),
    },
    'engine.json names a foreign process': {
      action: 'a start over a record with the pid of another program',
      text: (pid) => record({ pid }),
    },
  };

export const ENGINE_RECORDS: readonly Fault<undefined>[] = Object.entries(RECORDS).map(
  ([name, { action, text }]) => ({
    name,
    action,
    expect: { answers: ['200'], required: ['200'], longestWaitMs: 3000, recoveryMs: 20_000 },
    async run() {
      const other = spawn('sleep', ['100']);
      try {
        const dataDir = await copyOfArchive();
        await writeFile(join(dataDir, 'engine.json'), text(other.pid ?? 0));
        const started = performance.now();
        const service = await startService({ dataDir });
        const recoveryMs = performance.now() - started;
        const answers = new Answers();
        answers.add(await send(service.url, { key: await service.createKey() }));
        await service.stop();
        const isUntouched = other.exitCode === null && other.signalCode === null;
        return {
          answers,
          recoveryMs,
          notes: ['the recovery is a whole start'],
          breaches: isUntouched ? [] : ['the other program was ended'],
        };
      } finally {
        other.kill('SIGKILL');
      }
    },
  }),
);

function record({ pid }: { readonly pid: number }): string {
  return JSON.stringify({
    pid,
    startTime: '1',
    port: 1,
    instance: '00000000-0000-4000-8000-000000000000',
    database: 'history',
  });
}
