import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { migrate } from '../../../../clickhouse/schema.ts';
import type { BenchEngine } from '../../embedded-engine.ts';
import { TEMPLATES } from '../../stations.ts';
import type { Layout } from './layout.ts';
import type { TemplateTask } from './template-worker.ts';

/** Contains one year of each template station while an archive is built, and which station copies which of its days. */
export const TEMPLATE_DATABASE = 'templates';

const WORKER = fileURLToPath(new URL('./template-worker.ts', import.meta.url));

/** Generating and decoding reports costs more than all other work of a load, so each core has a process for it. */
export async function loadTemplates({ admin, http }: BenchEngine, { copies }: Layout): Promise<void> {
  const archive = { ...admin, database: TEMPLATE_DATABASE };
  await migrate(archive);
  const queue = TEMPLATES.values();
  const workers = Array.from({ length: availableParallelism() }, () => fork(WORKER));
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (const station of queue) await runTask(worker, { archive, station });
      }),
    );
  } finally {
    for (const worker of workers) worker.kill();
  }
  await http.command(`CREATE OR REPLACE TABLE ${TEMPLATE_DATABASE}.copies
    (station String, template String, shift UInt32, firstDay Date, endDay Date, hours UInt8) ENGINE = Memory`);
  const rows = copies.map((copy) => JSON.stringify(copy)).join('\n');
  await http.command(`INSERT INTO ${TEMPLATE_DATABASE}.copies FORMAT JSONEachRow\n${rows}`);
}

async function runTask(worker: ChildProcess, task: TemplateTask): Promise<void> {
  const settled = new AbortController();
  const exited = once(worker, 'exit', { signal: settled.signal }).then(() => {
    throw new Error(`The worker ended while it loaded ${task.station}`);
  });
  exited.catch(() => {});
  worker.send(task);
  await Promise.race([once(worker, 'message', { signal: settled.signal }), exited]);
  settled.abort();
}
