import type { Coverage } from './coverage.ts';
import type { PageRequest } from './page.ts';

type CoverageReader = (
  asked: Pick<PageRequest, 'stations' | 'from' | 'to'>,
  signal: AbortSignal,
) => Promise<Coverage>;

/** From the moment it was asked for. Archives grow, so coverage of a second ago claims less than there is (D16). */
const KEPT_FOR_MS = 1000;
/** Up to some 100 kB each. */
const KEPT_AT_MOST = 64;

type Kept = { readonly coverage: Promise<Coverage>; readonly askedAt: number };

/**
 * Lets the pages of one walk, and equal requests at once, share what coverage says. A failure is told to whoever
 * asked, and to nobody else: their signal may have caused it. The others ask again, one for all.
 */
export function keepCoverage(
  read: CoverageReader,
  now: () => number = performance.now.bind(performance),
): CoverageReader {
  const kept = new Map<string, Kept>();

  function ask(key: string, asked: Parameters<CoverageReader>[0], signal: AbortSignal): Promise<Coverage> {
    const coverage = read(asked, signal);
    const entry = { coverage, askedAt: now() };
    // The oldest come first: all are kept for the same time.
    for (const [other, { askedAt }] of kept)
      if (kept.size >= KEPT_AT_MOST || askedAt <= now() - KEPT_FOR_MS) kept.delete(other);
    kept.delete(key);
    kept.set(key, entry);
    coverage.catch(() => {
      if (kept.get(key) === entry) kept.delete(key);
    });
    return coverage;
  }

  return async (asked, signal) => {
    const key = [asked.from, asked.to, ...asked.stations].join();
    for (;;) {
      const entry = kept.get(key);
      if (entry === undefined || entry.askedAt <= now() - KEPT_FOR_MS) return ask(key, asked, signal);
      try {
        return await entry.coverage;
      } catch {
        signal.throwIfAborted();
      }
    }
  };
}
