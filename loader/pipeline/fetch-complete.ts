import { createHash } from 'node:crypto';
import { dayStart } from '../../clickhouse/model/day.ts';
import { type FetchResult, fetchWithRetry, type SourceClient } from '../http/fetch-with-retry.ts';
import type {
  ParsedBody,
  RemoteSource,
  Slice,
  SourceAdapter,
  SourceRequest,
  SourceRow,
} from '../sources/source.ts';
import { addSkips, type SkipCounts } from './skip-reasons.ts';

/** How often a doubtful answer is asked again before the slice is left for another day. */
const MAX_FETCHES = 5;

/**
 * Fewer than this share of what the neighbouring slices hold, day for day, is not plausible. Stations vary less than
 * that from year to year, and the price of a doubt is one request.
 */
const PLAUSIBLE_SHARE = 0.8;

/**
 * Everything the source holds of a slice, proved whole: plausible beside its neighbours, or answered twice alike.
 *
 * @param reportsPerDay what neighbouring slices hold: an answer well below, or the first of a station, is believed only
 *   when the next one is the same, row for row, for stations do close down and change their hours
 */
export async function fetchComplete(
  origin: SourceAdapter,
  slice: Slice,
  line: SourceClient,
  reportsPerDay?: number,
): Promise<FetchResult<ParsedBody>> {
  if (origin.kind === 'local') return { kind: 'answered', value: origin.generate(slice) };
  const least = PLAUSIBLE_SHARE * (reportsPerDay ?? Number.POSITIVE_INFINITY) * daysSoFar(slice);
  let before: string | undefined;
  for (let turn = 1; turn <= MAX_FETCHES; turn += 1) {
    const answer = await fetchAll(origin, slice, line);
    if (answer.kind !== 'answered' || answer.value.rows.length >= least) return answer;
    if (answer.isTwiceAlike) return answer;
    const rows = digest(answer.value);
    if (rows === before) return answer;
    before = rows;
  }
  return {
    kind: 'failed',
    reason: `${MAX_FETCHES} answers, none plausible beside the days around it, no two running alike`,
  };
}

function daysSoFar({ firstDay, endDay }: Slice): number {
  return (Math.min(dayStart(endDay), Date.now() / 1000) - dayStart(firstDay)) / 86_400;
}

type Fetched = FetchResult<ParsedBody> & { readonly isTwiceAlike?: boolean };

async function fetchAll(origin: RemoteSource, slice: Slice, line: SourceClient): Promise<Fetched> {
  let isTwiceAlike = true;
  const rows: SourceRow[] = [];
  const skipped: SkipCounts = {};
  let window: ParsedBody['observedWithin'];
  for (const request of origin.requests(slice)) {
    const answer = await fetchUntilConsistent(origin, slice, request, line);
    if (answer.kind === 'failed') return answer;
    if (answer.kind === 'absent') {
      isTwiceAlike = false;
      continue;
    }
    // What was in doubt has been asked twice.
    isTwiceAlike &&= answer.value.suspicion !== undefined;
    for (const row of answer.value.rows) rows.push(row);
    addSkips(skipped, answer.value.skipped);
    window = answer.value.observedWithin;
  }
  return {
    kind: 'answered',
    isTwiceAlike,
    value: { rows, skipped, ...(window === undefined ? {} : { observedWithin: window }) },
  };
}

/**
 * A source can fail half way and still answer 200. An answer that looks short is believed only when the next one
 * holds the same rows: real stations do fall silent.
 */
async function fetchUntilConsistent(
  { parse }: RemoteSource,
  slice: Slice,
  request: SourceRequest,
  line: SourceClient,
): Promise<FetchResult<ParsedBody>> {
  let before: string | undefined;
  for (let turn = 1; turn <= MAX_FETCHES; turn += 1) {
    const answer = await fetchWithRetry(line, request, (body) => parse(body, slice));
    if (answer.kind !== 'answered' || answer.value.suspicion === undefined) return answer;
    const rows = digest(answer.value);
    if (rows === before) return answer;
    before = rows;
  }
  return { kind: 'failed', reason: `${MAX_FETCHES} answers in doubt, no two running alike` };
}

function digest({ rows, skipped }: ParsedBody): string {
  const hash = createHash('sha256').update(JSON.stringify(skipped));
  for (const { station, filedAt, text, type } of rows) hash.update(`${station} ${filedAt} ${type} ${text}\n`);
  return hash.digest('hex');
}
