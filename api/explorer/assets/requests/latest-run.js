/**
 * Runs one task at a time: a new one aborts the one before.
 *
 * @param {(error: unknown, again: () => void) => void} onError `again` runs the task once more
 */
export function latestRun(onError) {
  let current = new AbortController();
  /** @param {(signal: AbortSignal) => Promise<void>} task */
  return async function run(task) {
    current.abort();
    current = new AbortController();
    const { signal } = current;
    try {
      await task(signal);
    } catch (error) {
      if (!signal.aborted) onError(error, () => void run(task));
    }
  };
}
