/**
 * Runs one task at a time: a new one aborts the one before.
 *
 * @param {(error: unknown) => void} onError
 */
export function latestRun(onError) {
  let current = new AbortController();
  /** @param {(signal: AbortSignal) => Promise<void>} task */
  return async (task) => {
    current.abort();
    current = new AbortController();
    const { signal } = current;
    try {
      await task(signal);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  };
}
