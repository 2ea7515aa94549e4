import type { FetchEvents } from '../http/fetch-with-retry.ts';
import type { Say } from './console.ts';

/** Prints why requests wait, and for how long. */
export function fetchMessages(say: Say): Pick<FetchEvents, 'pausing' | 'retrying'> {
  return {
    pausing: (reason, waitSeconds) =>
      say(`source unavailable (${reason}); pausing ${Math.ceil(waitSeconds)} s`),
    retrying: (url, reason, waitSeconds) =>
      say(`retrying in ${Math.ceil(waitSeconds)} s: ${reason} (${url})`),
  };
}
