import type { FetchEvents } from '../http/fetch-with-retry.ts';
import type { Log } from './console.ts';

/** Prints why requests wait, and for how long. */
export function fetchMessages(log: Log): Pick<FetchEvents, 'pausing' | 'retrying'> {
  return {
    pausing: (reason, waitSeconds) =>
      log(`source unavailable (${reason}); pausing ${Math.ceil(waitSeconds)} s`),
    retrying: (url, reason, waitSeconds) =>
      log(`retrying in ${Math.ceil(waitSeconds)} s: ${reason} (${url})`),
  };
}
