import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, type Section, sum } from '../results.ts';
import type { Api } from './api.ts';
import type { Other } from './other.ts';
import { fresh, yearsOf } from './queries.ts';
import { walk } from './walk.ts';

const CLIENTS = 32;
const PAGES_OF_CLIENT = 100;
const ROUNDS = 2;

/** Clients that walk a station each: for this service and, where there is one, for another api in turn. */
export async function measureWalks(
  api: Api,
  other: Other | undefined,
  stations: readonly string[],
): Promise<Section> {
  const walkers = stations.slice(0, CLIENTS);
  const figures: Figure[] = [];
  for (const encoding of ['identity', 'gzip'] as const) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await recordsPerSecond(encoding, api, walkers));
      if (other !== undefined) theirs.push(await recordsPerSecond(encoding, other.api, walkers));
    }
    const rate = sum(ours) / ROUNDS;
    figures.push({ what: encoding, measured: rate, unit: 'a second' });
    if (other !== undefined)
      figures.push({
        what: `${encoding}, compared with ${other.name}`,
        measured: rate / (sum(theirs) / ROUNDS),
        unit: '×',
        atLeast: 0.95,
        detail: `${Math.round(sum(theirs) / ROUNDS)} a second`,
      });
  }
  return { title: `Records of ${CLIENTS} clients that walk a station each`, figures };
}

/** Where the walk of a client ends, it walks another range of the same station. */
async function recordsPerSecond(
  encoding: 'identity' | 'gzip',
  api: Pick<Api, 'page'>,
  stations: readonly string[],
): Promise<number> {
  let total = 0;
  const started = performance.now();
  const client = async (station: string) => {
    for (let pages = 0; pages < PAGES_OF_CLIENT; ) {
      const first = { ...fresh(yearsOf(station)), ...(encoding === 'gzip' && { encoding }) };
      for await (const { records } of walk(patient(api), first)) {
        total += records;
        pages += 1;
        if (pages === PAGES_OF_CLIENT) break;
      }
    }
  };
  await Promise.all(stations.map(client));
  return total / ((performance.now() - started) / 1000);
}

/** Asks again after the time that an overloaded service names. */
function patient(api: Pick<Api, 'page'>): Pick<Api, 'page'> {
  return {
    async page(query, headers) {
      for (;;) {
        const response = await api.page(query, headers);
        if (response.status !== 503) return response;
        await sleep(Number(response.headers['retry-after'] ?? 1) * 1000);
      }
    },
  };
}
