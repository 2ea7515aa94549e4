import type { FetchEvents } from '../http/fetch-with-retry.ts';
import { formatDuration } from '../wording.ts';
import type { Log } from './console.ts';

/** Prints why requests wait, and for how long. */
export function fetchMessages(log: Log): Pick<FetchEvents, 'pausing' | 'retrying'> {
  return {
    pausing: (reason, waitSeconds) =>
      log(`source unavailable (${reason}); pausing ${formatDuration(Math.ceil(waitSeconds))}`),
    retrying: (url, reason, waitSeconds) =>
      log(`retrying in ${formatDuration(Math.ceil(waitSeconds))}: ${reason} (${url})`),
  };
}
