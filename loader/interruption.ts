/**
 * `afterSlice` stops the run after its current slices, `now` in the middle of them: the same command loads them again.
 */
export type Interruption = { readonly afterSlice: AbortSignal; readonly now: AbortSignal };

/**
 * Service managers end a program some seconds after SIGTERM, systemd with 90 and Docker with 10: slices of a stalled or
 * unavailable source would not end in this time.
 */
const FINISHING_MS = 3000;

/**
 * The first Ctrl-C stops the run after its current slices, however long they take, and the second one stops it now. SIGTERM
 * gives the slices a few seconds.
 */
export function interruptOnSignals(
  log: (line: string) => void,
  signals: NodeJS.EventEmitter = process,
  schedule: (work: () => void, ms: number) => void = (work, ms) => void setTimeout(work, ms).unref(),
): Interruption {
  const afterSlice = new AbortController();
  const now = new AbortController();
  const stop = (notice: string) => {
    if (afterSlice.signal.aborted) now.abort();
    else log(notice);
    afterSlice.abort();
  };
  signals.on('SIGINT', () => stop('Finishing current slices; press Ctrl-C again to abort.'));
  signals.on('SIGTERM', () => {
    stop(`Finishing current slices for at most ${FINISHING_MS / 1000} s.`);
    schedule(() => now.abort(), FINISHING_MS);
  });
  return { afterSlice: afterSlice.signal, now: now.signal };
}
