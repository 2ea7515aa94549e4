/** The first signal stops the run after the current slices, the second one now. */
export type Interruption = { readonly afterSlice: AbortSignal; readonly now: AbortSignal };

export function interruptOnSignals(log: (line: string) => void): Interruption {
  const afterSlice = new AbortController();
  const now = new AbortController();
  const onSignal = () => {
    if (afterSlice.signal.aborted) now.abort();
    else log('Finishing current slices; press Ctrl-C again to abort.');
    afterSlice.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return { afterSlice: afterSlice.signal, now: now.signal };
}
