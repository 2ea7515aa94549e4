import { once } from 'node:events';
import { ignoreClosedOutput } from '../../clickhouse/program-arguments.ts';
import { readConfig, SettingsError } from '../config.ts';
import { openRedis } from '../redis.ts';
import { fileUsageStore, redisUsageStore } from '../usage/usage-stores.ts';
import { fileKeyStore } from './key-store-file.ts';
import { redisKeyStore } from './key-store-redis.ts';
import { type KeysWork, parseKeysArgs } from './keys-program.ts';

ignoreClosedOutput();
/** `npm run keys`. Exit codes: 0 success, 1 failure, 2 invalid arguments or settings. */
try {
  const parsed = parseKeysArgs(process.argv.slice(2));
  if (parsed.kind === 'accepted') await withKeyStore(parsed.work);
  else if (parsed.kind === 'help') console.log(parsed.text);
  else {
    console.error(parsed.text);
    process.exitCode = 2;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof SettingsError ? 2 : 1;
}

async function withKeyStore(work: KeysWork): Promise<void> {
  const { keys } = readConfig();
  const report = (name: string) =>
    console.error(`Ignored ${name}: it is not the record of a key. A key that it names is refused.`);
  if (keys.kind === 'file') return work(fileKeyStore(keys.path, report), fileUsageStore(keys.usageFolder));
  const redis = openRedis(keys.url);
  try {
    // Rejects with the first error event.
    await once(redis, 'ready').catch((cause) => {
      throw new Error(`The key store at ${new URL(keys.url).host} does not respond: ${cause}`, { cause });
    });
    await work(redisKeyStore(redis, report), redisUsageStore(redis));
  } finally {
    redis.disconnect();
  }
}
