import type { Redis, RedisOptions } from 'ioredis';
import type { Log } from './ops/log.ts';

/**
 * So that a request never waits for Redis: with the client's defaults one hangs for over 15 s while Redis is down.
 * The client keeps trying to connect for as long as it is open.
 */
export const REDIS_OPTIONS = {
  connectTimeout: 500,
  commandTimeout: 200,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  // A command sent again after a lost connection would count a request twice.
  autoResendUnfulfilledCommands: false,
  retryStrategy: (times) => Math.min(times * 50, 500),
  // A replica that was a primary until a moment ago: connect again, to whoever is now.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
  // The client's default, RESP3, makes it loop against servers older than 6.
  protocol: 2,
} as const satisfies RedisOptions;

/** Logs when Redis is lost and when it is back, and not each attempt in between. */
export function reportOutages(redis: Redis, log: Log): void {
  let isDown = false;
  redis.on('error', (error: Error) => {
    if (!isDown) log('warn', 'key store lost', { error: error.message });
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log('info', 'key store back');
    isDown = false;
  });
}
