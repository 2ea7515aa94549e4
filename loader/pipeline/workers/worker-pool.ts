/**
 * Runs a task for every item, in order, at most `workers` at the same time. Starts no further item once `stop` aborts,
 * and waits for those in progress.
 */
export async function runPool<T>(
  items: Iterable<T>,
  workers: number,
  stop: AbortSignal,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items].values();
  const worker = async () => {
    for (const item of queue) {
      if (stop.aborted) return;
      await task(item);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
