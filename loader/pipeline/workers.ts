/** Runs tasks of one key one after another, in the order of the calls. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.last.get(key) ?? Promise.resolve();
    const current = previous.catch(() => {}).then(task);
    this.last.set(key, current);
    return current.finally(() => {
      if (this.last.get(key) === current) this.last.delete(key);
    });
  }
}

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
      await task(item).catch((error) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  if (failures.length > 0) throw failures[0];
}
