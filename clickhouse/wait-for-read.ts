/**
 * Waits for a read that another request started, and returns whether it succeeded. Throws as soon as `signal` aborts,
 * whatever becomes of the read.
 */
export function hasSucceeded(read: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = (succeeded: boolean) => () => {
      signal.removeEventListener('abort', onAbort);
      resolve(succeeded);
    };
    read.then(settle(true), settle(false));
    if (signal.aborted) onAbort();
  });
}
