import { BROKEN_STREAMS } from './clients/broken-streams.ts';
import { CLIENT_FAULTS, startClientsGroup } from './clients/clients-group.ts';
import { FLOOD_FAULTS } from './clients/floods.ts';
import { ROLLING_RESTART } from './clients/rolling-restart.ts';
import { STOPPING } from './clients/stopping.ts';
import { ENGINE_ACCESS } from './engine/engine-access.ts';
import { ENGINE_FROZEN, startFrozenGroup } from './engine/engine-frozen.ts';
import { ENGINE_KILLS, startEngineGroup } from './engine/engine-kills.ts';
import { FULL_DISK } from './engine/full-disk.ts';
import type { FaultGroup } from './fault.ts';
import { faultGroup } from './group.ts';
import { KEY_FAULTS, startKeysGroup } from './keys/keys-group.ts';
import { startRedisGroup, stopRedisGroup } from './keys/redis-group.ts';
import { REDIS_OUTAGES } from './keys/redis-outages.ts';
import { REDIS_RECORDS } from './keys/redis-records.ts';
import { HOSTILE_SOURCE } from './loader/hostile-source.ts';
import { LOAD_KILLS } from './loader/load-kills.ts';
import { ENGINE_IN_2_GB } from './memory/engine-in-2-gb.ts';
import { ENGINE_WITHOUT_MEMORY } from './memory/engine-without-memory.ts';
import { HEAVY_FAULTS, PAGE_CACHE_FAULTS, startContainer, stopContainer } from './memory/heavy-group.ts';
import { SERVER_IN_1_GB } from './memory/server-in-1-gb.ts';
import { POWER_FAILURES } from './power/power-failures.ts';
import type { Service } from './service.ts';

const stop = (service: Service) => service.stop();
const nothing = async () => undefined;

/** Every fault of the table. A group starts the service once, and again after a fault that did not hold. */
export const FAULT_GROUPS: readonly FaultGroup[] = [
  faultGroup({
    name: 'Redis',
    start: startRedisGroup,
    stop: stopRedisGroup,
    faults: [...REDIS_OUTAGES, ...REDIS_RECORDS],
  }),
  faultGroup({ name: 'Keys', start: startKeysGroup, stop, faults: KEY_FAULTS }),
  faultGroup({
    name: 'Clients',
    start: startClientsGroup,
    stop,
    faults: [...FLOOD_FAULTS, ...CLIENT_FAULTS],
  }),
  faultGroup({ name: 'Memory', start: startContainer, stop: stopContainer, faults: HEAVY_FAULTS }),
  faultGroup({
    name: 'Memory of the engine',
    start: nothing,
    stop: nothing,
    faults: [ENGINE_IN_2_GB, ENGINE_WITHOUT_MEMORY, SERVER_IN_1_GB],
  }),
  faultGroup({ name: 'Page cache', start: nothing, stop: nothing, faults: PAGE_CACHE_FAULTS }),
  faultGroup({
    name: 'The embedded engine',
    start: startEngineGroup,
    stop,
    faults: [...ENGINE_ACCESS, ...ENGINE_KILLS],
  }),
  faultGroup({
    name: 'A frozen engine',
    start: startFrozenGroup,
    stop,
    faults: ENGINE_FROZEN,
    runsBesideOthers: true,
  }),
  faultGroup({
    name: 'Stopping',
    start: nothing,
    stop: nothing,
    faults: [...STOPPING, ...BROKEN_STREAMS, ...ROLLING_RESTART],
  }),
  faultGroup({
    name: 'Loads',
    start: nothing,
    stop: nothing,
    faults: [...LOAD_KILLS, ...HOSTILE_SOURCE, ...FULL_DISK],
  }),
  faultGroup({
    name: 'Power failures',
    start: nothing,
    stop: nothing,
    faults: POWER_FAILURES,
  }),
];
