import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatMs, quantile, table } from '../bench/results.ts';

import { removeArchive } from '../faults/archive.ts';
import type { Answer } from '../faults/clients/client.ts';
import { type Service, startService } from '../faults/service.ts';
import { residentMegabytes } from '../support/process-usage.ts';
import { CLASSES, type ClientClass } from './classes.ts';

/**
 * `npm run test:load [-- --seconds 60 --rate 1]`: mixed traffic on the real program, at a rate that two cores carry. A lower
 * rate, such as 0.5, makes the pauses between the requests longer.
 */
const OPTIONS = {
  seconds: { type: 'string', default: '60' },
  rate: { type: 'string', default: '1' },
  help: { type: 'boolean', short: 'h' },
} as const;
const { seconds, rate, help } = parseArgs({ options: OPTIONS }).values;
if (help) {
  console.log('npm run test:load [-- --seconds 60] [-- --rate 1]');
  process.exit();
}
const WARM_UP_MS = 3000;

type Result = { readonly kind: ClientClass; readonly sent: number; readonly answers: readonly Answer[] };
type Memory = { readonly api: number; readonly engine: number };

const service = await startService();
const { results, start, end } = await run(service).finally(async () => {
  await service.stop();
  await removeArchive();
});
console.log(
  `${seconds} s of mixed traffic at rate ${rate}\n\n${classTable(results)}\n\n${table(
    ['resident memory, MB', 'at the start', 'at the end'],
    [
      ['api', String(start.api), String(end.api)],
      ['engine', String(start.engine), String(end.engine)],
    ],
  )}`,
);
const errors = results.reduce((sum, { kind, answers }) => sum + wrongAnswers(kind, answers).length, 0);
process.exitCode = errors === 0 && results.every(({ sent }) => sent > 0) ? 0 : 1;

async function run(target: Service) {
  const stopped = new AbortController();
  const running = CLASSES.map((kind) => runClass(target, kind, stopped.signal));
  await sleep(WARM_UP_MS);
  const before = await memoryOf(target);
  await sleep(Number(seconds) * 1000);
  const after = await memoryOf(target);
  stopped.abort();
  return { results: await Promise.all(running), start: before, end: after };
}

async function runClass(target: Service, kind: ClientClass, stopped: AbortSignal): Promise<Result> {
  const answers: Answer[] = [];
  let sent = 0;
  const clients = Array.from({ length: kind.clients }, async (_, at) => {
    const next = kind.create(target.url, await target.createKey(), at);
    while (!stopped.aborted) {
      const answer = await next();
      sent += 1;
      // A page of 3 MB is not kept.
      if (answer !== undefined) answers.push({ ...answer, body: '' });
      await sleep(kind.pauseMs / Number(rate));
    }
  });
  await Promise.all(clients);
  return { kind, sent, answers };
}

async function memoryOf(target: Service): Promise<Memory> {
  return {
    api: await target.residentMegabytes(),
    engine: await residentMegabytes(await target.enginePid()),
  };
}

function wrongAnswers(kind: ClientClass, answers: readonly Answer[]): readonly Answer[] {
  return answers.filter(({ label }) => !kind.answers.includes(label));
}

function classTable(all: readonly Result[]): string {
  const rows = all.map(({ kind, sent, answers }) => {
    const times = answers.map(({ ms }) => ms);
    const percentiles = [0.5, 0.95, 0.99, 1].map((share) =>
      times.length === 0 ? '' : formatMs(quantile(times, share)),
    );
    const wrong = wrongAnswers(kind, answers).map(({ label }) => label);
    return [kind.name, String(sent), String(wrong.length), ...percentiles, countLabels(answers, wrong)];
  });
  return table(['client', 'requests', 'errors', 'p50 ms', 'p95 ms', 'p99 ms', 'longest ms', 'answers'], rows);
}

function countLabels(answers: readonly Answer[], wrong: readonly string[]): string {
  const labels = [...new Set(answers.map(({ label }) => label))];
  return labels
    .map(
      (label) =>
        `${answers.filter((each) => each.label === label).length} × ${label}${wrong.includes(label) ? ' (wrong)' : ''}`,
    )
    .join(', ');
}
