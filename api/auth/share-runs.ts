/**
 * Concurrent calls share a run, and each gets the result of a run that started after its call. A call during a run
 * therefore waits for the next run, which all calls during that run share.
 */
export function shareRuns<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const start = () => {
    next = undefined;
    const started = run();
    current = started;
    return started;
  };
  return () => {
    next ??= current.then(start, start);
    return next;
  };
}
