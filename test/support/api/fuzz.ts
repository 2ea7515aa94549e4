import { seededRandom } from '../random.ts';
import { fuzzRequest } from './fuzz-requests.ts';
import { responseFault, sendRaw } from './fuzz-response.ts';

const AT_ONCE = 10;
/** Below the limit of a professional key in a second. */
const REQUESTS_PER_KEY = 80;

/** @returns what went wrong, with the request, so that it can be repeated; and how many answers had each status */
export async function fuzz(
  url: string,
  createKey: () => Promise<string>,
  seed: number,
  requests: number,
): Promise<{ readonly faults: readonly string[]; readonly statuses: ReadonlyMap<string, number> }> {
  const random = seededRandom(seed);
  const faults: string[] = [];
  const statuses = new Map<string, number>();
  let key = await createKey();
  for (let sent = 0; sent < requests; sent += AT_ONCE) {
    if (sent % REQUESTS_PER_KEY === 0) key = await createKey();
    const batch = Array.from({ length: AT_ONCE }, () => fuzzRequest(random, key));
    const responses = await Promise.all(batch.map((request) => sendRaw(url, request)));
    for (const [at, request] of batch.entries()) {
      const response = responses[at] ?? '';
      const status = response.slice(9, 12);
      if (status !== '') statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const fault = responseFault(request, response);
      if (fault !== undefined)
        faults.push(`seed ${seed}: ${fault}: ${JSON.stringify(request.slice(0, 600))}`);
    }
  }
  return { faults, statuses };
}
