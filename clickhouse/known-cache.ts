import type { Known, KnownReader } from './known.ts';
import type { ToldOf } from './told.ts';

/** How old a look may be, from the moment it was begun: what is kept is true of a second ago at most (D16). */
const LOOK_AGAIN_MS = 1000;
/** Some 3 kB each. */
const KEPT_AT_MOST = 10_000;

/**
 * Keeps what is known of stations until something is told of them: a request for a station that was asked for before,
 * over whatever range, reads nothing. Archives grow, so what is kept claims less than there is (D16).
 *
 * Equal questions at once are asked together. A failure is told to whoever asked, and to nobody else: their signal may
 * have caused it. The others ask again, one for all.
 *
 * @param look which stations something was told of since the look before
 */
export function keepKnown(
  read: KnownReader,
  look: (signal: AbortSignal) => Promise<ToldOf>,
  now: () => number = performance.now.bind(performance),
): KnownReader {
  const kept = new Map<string, Known | Promise<Known>>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function upToDate(signal: AbortSignal): Promise<void> {
    const asked = now();
    while (lookedAt <= asked - LOOK_AGAIN_MS)
      if (looking === undefined) {
        looking = lookAgain(signal).finally(() => (looking = undefined));
        await looking;
      } else await looking.catch(() => signal.throwIfAborted());
  }

  async function lookAgain(signal: AbortSignal): Promise<void> {
    const begun = now();
    const told = await look(signal);
    if (told === 'all') kept.clear();
    else for (const station of told) kept.delete(station);
    lookedAt = begun;
  }

  function readAndKeep(stations: readonly string[], signal: AbortSignal): Promise<unknown> {
    const reading = read(stations, signal);
    for (const station of stations) {
      const entry = reading.then((known) => known.get(station) as Known);
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
      const entries = stations.map((station) => kept.get(station) as Known | Promise<Known>);
      forgetSome();
      await reading;
      try {
        const known = await Promise.all(entries);
        return new Map(stations.map((station, n) => [station, known[n] as Known]));
      } catch {
        signal.throwIfAborted();
      }
    }
  };
}
