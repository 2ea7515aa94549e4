import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type ClientRequest, send } from './client.ts';

/** Counts the answers that clients get, and checks the headers that every response has. */
export class Answers {
  readonly #counts = new Map<string, number>();
  readonly #faults = new Set<string>();
  longestMs = 0;

  add(answer: Answer): Answer {
    this.#counts.set(answer.label, (this.#counts.get(answer.label) ?? 0) + 1);
    this.longestMs = Math.max(this.longestMs, answer.ms);
    if (answer.status !== 0) for (const fault of headerFaults(answer)) this.#faults.add(fault);
    return answer;
  }

  /** Adds the outcome of something other than a request for a page. */
  addLabel(label: string, ms = 0): void {
    this.add({ status: 0, label, headers: {}, body: '', ms });
  }

  labels(): readonly string[] {
    return [...this.#counts.keys()];
  }

  /** What is wrong with headers and bodies, each kind once. */
  get faults(): readonly string[] {
    return [...this.#faults];
  }

  summary(): string {
    const counts = [...this.#counts]
      .sort((a, b) => b[1] - a[1])
      .map(([label, count]) => `${label}: ${count}`);
    if (counts.length === 0) return '';
    return `${counts.join(', ')}; ${(this.longestMs / 1000).toFixed(2)} s`;
  }
}

/** The headers of every response of any status, and `Retry-After` where the client should wait. */
function headerFaults({ status, headers }: Answer): readonly string[] {
  const rules: readonly (readonly [string, RegExp])[] = [
    ['x-ratelimit-limit', /^(1|10|100)$/],
    ['x-ratelimit-remaining', /^\d+$/],
    ['x-request-id', /^[A-Za-z0-9._-]{1,64}$/],
    ...(status === 429 || status === 503 ? [['retry-after', /^[1-9]\d*$/] as const] : []),
  ];
  return rules
    .filter(([name, form]) => !form.test(String(headers[name] ?? '')))
    .map(([name]) => `${status} with ${name}: ${headers[name]}`);
}

/** Clients that repeat their request, with a pause after each answer, while `work` runs. */
export async function during<T>(
  url: string,
  answers: Answers,
  clients: readonly (ClientRequest & { readonly pauseMs?: number })[],
  work: () => Promise<T>,
): Promise<T> {
  let isDone = false;
  const loops = clients.map(async ({ pauseMs = 50, ...request }) => {
    while (!isDone) {
      answers.add(await send(url, request));
      await sleep(pauseMs);
    }
  });
  try {
    return await work();
  } finally {
    isDone = true;
    await Promise.all(loops);
  }
}

export async function timeUntil(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
): Promise<number | undefined> {
  const started = performance.now();
  while (performance.now() - started < limitMs) {
    if (await condition()) return performance.now() - started;
    await sleep(25);
  }
  return undefined;
}
