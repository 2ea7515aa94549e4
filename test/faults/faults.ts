import { ROLLING_RESTART } from './clients/rolling-restart.ts';
import { ENGINE_FROZEN, ENGINE_KILLS, startEngineGroup, startFrozenGroup } from './engine/engine-kills.ts';
import { type FaultGroup, faultGroup, ownStarts } from './fault.ts';
import { REDIS_FAULTS, startRedisGroup, stopRedisGroup } from './keys/redis-faults.ts';
import { HOSTILE_SOURCE } from './loader/hostile-source.ts';
import { LOAD_KILLS } from './loader/load-kills.ts';
import { HEAVY_FAULTS, PAGE_CACHE_FAULTS, startContainer, stopContainer } from './memory/heavy-group.ts';
import { ENGINE_IN_2_GB, ENGINE_WITHOUT_MEMORY, SERVER_IN_1_GB } from './memory/limited-memory.ts';
import { POWER_FAILURES } from './power/power-failures.ts';
import { type Service, startService } from './service.ts';

const service = (start: () => Promise<Service> = startService) => ({
  start,
  stop: (started: Service) => started.stop(),
});

/** Every fault of the table. A group starts the service once, and again after a fault that did not hold. */
export const FAULT_GROUPS: readonly FaultGroup[] = [
  faultGroup('Redis', { start: startRedisGroup, stop: stopRedisGroup }, REDIS_FAULTS),
  faultGroup('Memory', { start: startContainer, stop: stopContainer }, HEAVY_FAULTS),
  ownStarts('Memory of the engine', [ENGINE_IN_2_GB, ENGINE_WITHOUT_MEMORY, SERVER_IN_1_GB]),
  ownStarts('Page cache', PAGE_CACHE_FAULTS),
  faultGroup('The embedded engine', service(startEngineGroup), ENGINE_KILLS),
  faultGroup('A frozen engine', service(startFrozenGroup), ENGINE_FROZEN, true),
  ownStarts('Stopping', ROLLING_RESTART),
  ownStarts('Loads', [...LOAD_KILLS, ...HOSTILE_SOURCE]),
  ownStarts('Power failures', POWER_FAILURES),
];
