import { createHash } from 'node:crypto';
import { type Answer, ask, type Line } from './fetch.ts';
import { addSkips, type SkipCounts } from './skipped.ts';
import type { Origin, Reading, RemoteOrigin, Request, Sent, Slice } from './sources/origin.ts';

/** How often a doubtful answer is asked again before the slice is left for another day. */
const TURNS = 5;

/** Everything the source holds of a slice, proved whole. */
export async function fetchWhole(origin: Origin, slice: Slice, line: Line): Promise<Answer<Reading>> {
  if (origin.kind === 'local') return { kind: 'answered', value: origin.make(slice) };
  const sent: Sent[] = [];
  const skipped: SkipCounts = {};
  let window: Reading['observedWithin'];
  for (const request of origin.requests(slice)) {
    const answer = await askUntilProved(origin, slice, request, line);
    if (answer.kind === 'failed') return answer;
    if (answer.kind === 'absent') continue;
    for (const row of answer.value.sent) sent.push(row);
    addSkips(skipped, answer.value.skipped);
    window = answer.value.observedWithin;
  }
  return {
    kind: 'answered',
    value: { sent, skipped, ...(window === undefined ? {} : { observedWithin: window }) },
  };
}

/**
 * A source can fail half way and still answer 200. An answer that looks short is believed only when the next one
 * holds the same rows: real stations do fall silent.
 */
async function askUntilProved(
  { read }: RemoteOrigin,
  slice: Slice,
  request: Request,
  line: Line,
): Promise<Answer<Reading>> {
  let before: string | undefined;
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const answer = await ask(line, request, (body) => read(body, slice));
    if (answer.kind !== 'answered' || answer.value.doubt === undefined) return answer;
    const rows = digest(answer.value);
    if (rows === before) return answer;
    before = rows;
  }
  return { kind: 'failed', reason: `${TURNS} answers in doubt, no two running alike` };
}

function digest({ sent, skipped }: Reading): string {
  const hash = createHash('sha256').update(JSON.stringify(skipped));
  for (const { station, filedAt, text, type } of sent) hash.update(`${station} ${filedAt} ${type} ${text}\n`);
  return hash.digest('hex');
}
