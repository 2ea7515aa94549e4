import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../read/api.ts';
import { sum } from '../statistics.ts';
import type { FreshRange } from './fresh-ranges.ts';
import { walk } from './walk.ts';

export const WALKING_CLIENTS = 32;

const ENCODINGS = ['identity', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Records a second, means of the rounds. */
export type WalkingClients = { readonly encoding: Encoding; readonly ours: number; readonly other?: number };

const PAGES_OF_CLIENT = 100;
const ROUNDS = 2;

/** In turn for this service and, where there is one, for the api of another checkout. */
export async function measureWalkingClients(
  api: Pick<Api, 'page'>,
  other: Pick<Api, 'page'> | undefined,
  stations: readonly string[],
  freshRange: FreshRange,
): Promise<readonly WalkingClients[]> {
  const results: WalkingClients[] = [];
  for (const encoding of ENCODINGS)
    results.push(await measureEncoding(encoding, api, other, stations, freshRange));
  return results;
}

async function measureEncoding(
  encoding: Encoding,
  api: Pick<Api, 'page'>,
  other: Pick<Api, 'page'> | undefined,
  stations: readonly string[],
  freshRange: FreshRange,
): Promise<WalkingClients> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [mine, others] = [
      await recordsPerSecond(encoding, api, stations, freshRange),
      other && (await recordsPerSecond(encoding, other, stations, freshRange)),
    ];
    ours.push(mine);
    if (others !== undefined) theirs.push(others);
  }
  return { encoding, ours: sum(ours) / ROUNDS, ...(other && { other: sum(theirs) / ROUNDS }) };
}

/** Each client walks a station of its own. Where its walk ends, it walks another range of the same station. */
async function recordsPerSecond(
  encoding: Encoding,
  api: Pick<Api, 'page'>,
  stations: readonly string[],
  freshRange: FreshRange,
): Promise<number> {
  let total = 0;
  const started = performance.now();
  const client = async (station: string) => {
    for (let pages = 0; pages < PAGES_OF_CLIENT; )
      for await (const { records } of walk(patient(api), {
        ...freshRange('walk', station),
        ...(encoding === 'gzip' && { encoding }),
      })) {
        total += records;
        pages += 1;
        if (pages === PAGES_OF_CLIENT) break;
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
