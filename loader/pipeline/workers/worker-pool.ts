/**
 * Runs a task for every item, in order, at most `workers` at the same time. Starts no further item once `stop` aborts
 * or a task fails, and waits for those in progress: their writes must not come after the caller has moved on.
 *
 * @throws the error of the task that failed first
 */
export async function runPool<T>(
  items: Iterable<T>,
  workers: number,
  stop: AbortSignal,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items].values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const item of queue) {
      if (stop.aborted || failures.length > 0) return;
      try {
        await task(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  if (failures.length > 0) throw failures[0];
}
