import { type Command, Redis, type RedisOptions } from 'ioredis';
import type { Log } from './ops/log.ts';

/** Two commands end within 1 s (D30). With 200 ms and `appendfsync always`, 13 of 2,324 requests on a busy machine got 503. */
const COMMAND_MS = 450;

/** The client keeps trying to connect as long as it is open; with its defaults a request would wait 15 s while Redis is down. */
const OPTIONS = {
  connectTimeout: 500,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  // A command repeated after a lost connection would count a request twice.
  autoResendUnfulfilledCommands: false,
  retryStrategy: (times) => Math.min(times * 50, 500),
  // While Redis loads its data, the client waits as long as Redis estimates, by default up to 10 s.
  maxLoadingRetryTime: 500,
  // After a failover the server is a read-only replica: a new connection reaches the primary.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
  // With its default, RESP3, the client endlessly reconnects to servers older than version 6.
  protocol: 2,
} as const satisfies RedisOptions;

/** Checks for answers once more: after this process was paused, timers fire before what Redis sent meanwhile is read. */
class TimedRedis extends Redis {
  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const end = () => command.reject(new Error('Command timed out'));
    const timer = setTimeout(() => setImmediate(end), COMMAND_MS);
    const settled = () => clearTimeout(timer);
    command.promise.then(settled, settled);
    return super.sendCommand(command, stream);
  }
}

export function openRedis(url: string): Redis {
  return new TimedRedis(url, OPTIONS);
}

/** Logs when the key store becomes unavailable and when it is available again, not each attempt in between. */
export function logOutages(redis: Redis, log: Log): void {
  let isDown = false;
  redis.on('error', (error: Error) => {
    if (!isDown) log.warn('key store unavailable', { error: error.message });
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log.info('key store available');
    isDown = false;
  });
}

/** Logs, once, that Redis may drop keys when its memory is full. A managed Redis can refuse to say so. */
export function warnOfEviction(redis: Redis, log: Log): void {
  let isSaid = false;
  const check = async () => {
    const memory = await redis.info('memory').catch(() => '');
    const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(memory) ?? [];
    if (policy === 'noeviction' || isSaid) return;
    isSaid = true;
    const lost = policy.startsWith('allkeys') ? 'API keys and their usage' : 'the usage of API keys';
    const warning = `When its memory is full, Redis drops ${lost}: its maxmemory-policy is ${policy} and should be noeviction.`;
    log.warn('redis settings', { warning });
  };
  redis.on('ready', () => void check());
}
