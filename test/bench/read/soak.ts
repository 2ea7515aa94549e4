import { setTimeout as sleep } from 'node:timers/promises';
import { residentMegabytes } from '../../support/process-usage.ts';
import { seededRandom } from '../../support/random.ts';
import { type Figure, formatMs, quantile, type Section, sum, Times } from '../results.ts';
import type { Api } from './api.ts';
import type { Query } from './queries.ts';

const CONNECTIONS = 32;

/** All queries mixed, in an order that is the same in every run. Each connection sends its next request at once. */
export async function soak(api: Api, queries: readonly Query[], seconds: number): Promise<Section> {
  const random = seededRandom(1);
  const times = new Times();
  const errors = new Map<string, number>();
  const resident: number[] = [];
  const end = performance.now() + seconds * 1000;
  const connection = async () => {
    while (performance.now() < end) {
      const query = queries[Math.floor(random() * queries.length)] as Query;
      const { status, ms } = await api
        .page(query)
        .catch((error: Error) => ({ status: error.message, ms: 0 }));
      if (status === 200) times.add(query.name, ms);
      else errors.set(String(status), (errors.get(String(status)) ?? 0) + 1);
    }
  };
  const sending = Promise.all(Array.from({ length: CONNECTIONS }, connection));
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1000);
    resident.push(await residentMegabytes(api.pid));
  }
  await sending;
  const measured = queries.map(({ name }) => ({
    name,
    pages: times.of(name).length,
    p50: times.median(name),
    p99: quantile(times.of(name), 0.99),
  }));
  const uneven = measured.toSorted((a, b) => b.p99 / b.p50 - a.p99 / a.p50)[0];
  const tenth = Math.max(1, Math.floor(resident.length / 10));
  return {
    title: `${CONNECTIONS} connections, all queries mixed, ${seconds} s`,
    figures: [
      {
        what: 'failed requests',
        measured: sum(errors.values()),
        unit: 'errors',
        atMost: 0,
        detail: [...errors].map(([error, count]) => `${error}: ${count}`).join(', '),
      },
      {
        what: 'p99 compared with p50',
        measured: uneven === undefined ? Number.NaN : uneven.p99 / uneven.p50,
        unit: '×',
        atMost: 6,
        detail: uneven?.name ?? '',
      },
      {
        what: 'most resident memory',
        measured: Math.max(...resident),
        unit: 'MB',
        atMost: 300,
        detail: `over time ${resident.filter((_, n) => n % tenth === 0).join(', ')}`,
      },
      ...measured.map(
        ({ name, pages, p50, p99 }): Figure => ({
          what: name,
          measured: p50,
          unit: 'ms',
          detail: `p99 ${formatMs(p99)}; ${pages} pages`,
        }),
      ),
    ],
  };
}
