import type { ChangedStations } from './changes.ts';
import type { CoverageState, CoverageStateReader } from './state.ts';

/** How old a look may be, from the moment it was begun: what is kept is true of a second ago at most (D16). */
const LOOK_AGAIN_MS = 1000;
/** From this age on a request has the next look begun, and does not wait for it: where requests follow one another, none does. */
const LOOK_AHEAD_MS = 500;
const LOOK_AHEAD_PATIENCE_MS = 5000;
/** After so long another archive may have taken the place of the one that was known. */
const FORGET_AFTER_MS = 60_000;
/** Stations. A year of one source is an object of eight fields, and a station has some twenty of each source. */
const KEPT_AT_MOST = 5000;

/**
 * Keeps what is known of stations until something is told of them: a request for a station that was asked for before,
 * over whatever range, reads nothing. Archives grow, so what is kept claims less than there is (D16); only what is taken
 * out by hand is claimed for a second longer.
 *
 * Equal questions at once are asked together. A failure is told to whoever asked, and to nobody else: their signal may
 * have caused it. The others ask again, one for all.
 *
 * @param look which stations something was told of since the look before
 */
export function cacheCoverageState(
  read: CoverageStateReader,
  look: (signal: AbortSignal) => Promise<ChangedStations>,
  now: () => number = performance.now.bind(performance),
): CoverageStateReader {
  const kept = new Map<string, CoverageState | Promise<CoverageState>>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function upToDate(signal: AbortSignal): Promise<void> {
    const asked = now();
    while (lookedAt <= asked - LOOK_AGAIN_MS)
      if (looking === undefined) {
        looking = lookAgain(signal).finally(() => (looking = undefined));
        await looking;
      } else await ended(looking, signal);
    if (lookedAt <= asked - LOOK_AHEAD_MS && looking === undefined)
      looking = lookAgain(AbortSignal.timeout(LOOK_AHEAD_PATIENCE_MS))
        .catch(() => {})
        .finally(() => (looking = undefined));
  }

  async function lookAgain(signal: AbortSignal): Promise<void> {
    const begun = now();
    const told = await look(signal);
    if (told === 'all' || begun - lookedAt > FORGET_AFTER_MS) kept.clear();
    else for (const station of told) kept.delete(station);
    lookedAt = begun;
  }

  function readAndKeep(stations: readonly string[], signal: AbortSignal): Promise<unknown> {
    const reading = read(stations, signal);
    for (const station of stations) {
      const entry = reading.then((known) => known.get(station) as CoverageState);
      // Unless something was told of it meanwhile, which has taken the entry away.
      const settle = (then: () => void) => kept.get(station) === entry && then();
      kept.set(station, entry);
      entry.then(
        (known) => settle(() => kept.set(station, known)),
        () => settle(() => kept.delete(station)),
      );
    }
    return reading;
  }

  /** What has been kept for longest comes first. */
  function forgetSome(): void {
    for (const station of kept.keys()) {
      if (kept.size <= KEPT_AT_MOST) return;
      kept.delete(station);
    }
  }

  return async (stations, signal) => {
    await upToDate(signal);
    for (;;) {
      const unknown = stations.filter((station) => !kept.has(station));
      const reading = unknown.length > 0 ? readAndKeep(unknown, signal) : undefined;
      const entries = stations.map((station) => kept.get(station) as CoverageState | Promise<CoverageState>);
      forgetSome();
      await reading;
      const known = Promise.all(entries);
      if (await ended(known, signal)) return entriesOf(stations, await known);
    }
  };
}

function entriesOf(
  stations: readonly string[],
  known: readonly CoverageState[],
): ReadonlyMap<string, CoverageState> {
  return new Map(stations.map((station, n) => [station, known[n] as CoverageState]));
}

/** Whether it succeeded, once the work of another is done. Throws as soon as nobody waits for it any more. */
function ended(work: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    const end = (succeeded: boolean) => () => {
      signal.removeEventListener('abort', leave);
      resolve(succeeded);
    };
    work.then(end(true), end(false));
    if (signal.aborted) leave();
  });
}
