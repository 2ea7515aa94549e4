/** The first signal stops the run after the current slices, the second one now. */
export type Interruption = { readonly afterSlice: AbortSignal; readonly now: AbortSignal };

export type SignalInterruption = Interruption & {
  /** The command does not finish its slices: the first signal ends it. */
  endsAtOnce(): void;
};

export function interruptOnSignals(log: (line: string) => void): SignalInterruption {
  const afterSlice = new AbortController();
  const now = new AbortController();
  let finishesSlices = true;
  const onSignal = () => {
    if (afterSlice.signal.aborted) now.abort();
    else if (finishesSlices) log('Finishing current slices; press Ctrl-C again to abort.');
    afterSlice.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    afterSlice: afterSlice.signal,
    now: now.signal,
    endsAtOnce() {
      finishesSlices = false;
    },
  };
}
