import { createHash } from 'node:crypto';
import { readUsualVolume } from '../../clickhouse/coverage/ledger/ledger.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import {
  DONE_AFTER_HOURS,
  dayStart,
  firstProvisionalDay,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
} from '../../clickhouse/model/day.ts';
import { readArchiveClock } from '../clocks.ts';
import { type Failure, fetchWithRetry } from '../http/fetch-with-retry.ts';
import { MAX_FETCHES } from '../http/retry-policy.ts';
import {
  addSkips,
  type Body,
  type ParsedBody,
  type RemoteSource,
  type SkipCounts,
  type Slice,
} from '../sources/source.ts';
import type { LoadContext } from './load-slice.ts';

/**
 * A slice with fewer reports per day than this share of its neighbors is suspicious. Stations vary less from year to
 * year, and a false alarm costs only one more request.
 */
const PLAUSIBLE_SHARE = 0.8;

type Fetched<T> = { readonly kind: 'ok'; readonly value: T } | Failure;

export type FetchedBody = ParsedBody & {
  /**
   * Seconds since 1970-01-01T00:00:00Z: the earliest time of its responses by the source's own clock, or by that of the
   * archive's server where the source has none. Only days that had ended 72 hours before can be done (D70).
   */
  readonly provenAt: number;
};

type FetchContext = Pick<LoadContext, 'adapter' | 'sourceClient' | 'archive' | 'now'>;

/**
 * Fetches everything that the source holds of a slice. A source can fail midway and still respond with 200, so a slice
 * is complete only if its number of reports is plausible next to the neighboring slices, or if two consecutive fetches
 * give the same rows: stations do close, and change their hours. The first slice of a station has no neighbor. A slice
 * of only provisional days makes no day done and is requested again later, so its first response is enough. A response
 * whose last row or most rows cannot be read is never enough (D68), nor is a first response for all stations that lacks a
 * file: the source may still be writing it.
 */
export async function fetchComplete(context: FetchContext, slice: Slice): Promise<Fetched<FetchedBody>> {
  const { adapter, archive, now } = context;
  if (adapter.kind === 'local') {
    const provenAt = await readArchiveClock(archive, now);
    return { kind: 'ok', value: { ...adapter.generate(slice), provenAt } };
  }
  if (slice.firstDay >= firstProvisionalDay(now())) return fetchAll(context, adapter, slice, () => true);
  const reportsPerDay = await readUsualVolume(archive, slice);
  const end = Math.min(dayStart(slice.endDay), now().getTime() / 1000);
  const elapsedDays = (end - dayStart(slice.firstDay)) / SECONDS_PER_DAY;
  const plausible = PLAUSIBLE_SHARE * (reportsPerDay ?? Number.POSITIVE_INFINITY) * elapsedDays;
  return fetchUntilRepeated(
    async () => {
      const result = await fetchAll(context, adapter, slice, ({ suspicion }) => suspicion === undefined);
      // Some station in the world always reports, so a source that lacks the file of a day is incomplete.
      return result.kind === 'ok' && result.value.isAbsent && slice.station === ALL_STATIONS
        ? { kind: 'failed', reason: 'the source has no file of these days', isRejected: true }
        : result;
    },
    ({ rows, isConfirmed, lacksFile }) =>
      isConfirmed || (rows.length >= plausible && !(lacksFile && slice.station === ALL_STATIONS)),
    'each with fewer reports than expected',
  );
}

/** The rows of all requests of a slice; confirmed if two responses to each gave the same rows. */
type SliceBody = FetchedBody & {
  readonly isConfirmed: boolean;
  /** The source has nothing for one of the requests. */
  readonly lacksFile: boolean;
  /** The source has nothing for any of the requests. */
  readonly isAbsent: boolean;
};

const NOTHING: ParsedBody = { rows: [], skipped: {} };

/** @param isAccepted whether a response is accepted; one that looks incomplete is requested again until two in a row are equal */
async function fetchAll(
  { sourceClient, archive, now }: FetchContext,
  adapter: RemoteSource,
  slice: Slice,
  isAccepted: (body: ParsedBody) => boolean,
): Promise<Fetched<SliceBody>> {
  const bodies: ParsedBody[] = [];
  let rowsLeft = adapter.maxRows;
  let provenAt = Number.POSITIVE_INFINITY;
  for (const request of adapter.requests(slice)) {
    const parse = (body: Body) => adapter.parse(body, slice, rowsLeft);
    const fetchBody = async (): Promise<Fetched<ParsedBody>> => {
      const result = await fetchWithRetry(sourceClient, request, parse);
      if (result.kind === 'failed') return result;
      provenAt = Math.min(provenAt, result.madeAt ?? (await readArchiveClock(archive, now)));
      if (result.kind === 'absent') return { kind: 'ok', value: NOTHING };
      const { unreadable: message } = result.value;
      return message === undefined
        ? result
        : { kind: 'ok', value: { ...result.value, unreadable: `${message} (${request.url})` } };
    };
    const result = await fetchUntilRepeated(fetchBody, isAccepted, 'each looks incomplete');
    if (result.kind === 'failed') return result;
    bodies.push(result.value);
    rowsLeft -= result.value.rows.length;
  }
  const skipped: SkipCounts = {};
  for (const body of bodies) addSkips(skipped, body.skipped);
  const value = {
    rows: bodies.flatMap(({ rows }) => rows),
    skipped,
    incompleteDays: bodies.flatMap(({ incompleteDays = [] }) => incompleteDays),
    observedWithin: bodies.find(({ observedWithin }) => observedWithin)?.observedWithin,
    unreadable: bodies.find(({ unreadable }) => unreadable)?.unreadable,
    provenAt: provenByFiles(adapter, bodies, provenAt),
    isConfirmed: bodies.every(({ suspicion }) => suspicion !== undefined),
    lacksFile: bodies.includes(NOTHING),
    isAbsent: bodies.every((body) => body === NOTHING),
  };
  return { kind: 'ok', value };
}

/** Moves `provenAt` back if files of the source still grow, so that the day of the last row and later days are not done. */
function provenByFiles({ growsForDays }: RemoteSource, bodies: readonly ParsedBody[], provenAt: number) {
  if (growsForDays === undefined) return provenAt;
  const whole = provenAt - growsForDays * SECONDS_PER_DAY;
  const until = Math.max(whole, ...bodies.map(({ lastFiledAt = 0 }) => lastFiledAt));
  return Math.min(provenAt, until + DONE_AFTER_HOURS * SECONDS_PER_HOUR);
}

async function fetchUntilRepeated<T extends ParsedBody>(
  fetchBody: () => Promise<Fetched<T>>,
  isAccepted: (body: T) => boolean,
  problem: string,
): Promise<Fetched<T>> {
  let previous: string | undefined;
  for (let fetches = 1; fetches <= MAX_FETCHES; fetches += 1) {
    const result = await fetchBody();
    if (result.kind === 'failed') return result;
    const { isBroken, unreadable = '' } = result.value;
    if (isBroken !== true && isAccepted(result.value)) return result;
    const current = digest(result.value);
    if (current === previous) return isBroken === true ? { kind: 'failed', reason: unreadable } : result;
    previous = current;
  }
  return { kind: 'failed', reason: `${MAX_FETCHES} responses, ${problem}, no two in a row identical` };
}

function digest({ rows, skipped }: ParsedBody): string {
  const hash = createHash('sha256').update(JSON.stringify(skipped));
  for (const { station, filedAt, text, type } of rows) hash.update(`${station} ${filedAt} ${type} ${text}\n`);
  return hash.digest('hex');
}
