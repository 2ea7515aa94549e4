import type { FaultGroup } from './fault.ts';
import { faultGroup } from './group.ts';
import { startRedisGroup, stopRedisGroup } from './redis-group.ts';
import { REDIS_OUTAGES } from './redis-outages.ts';
import { REDIS_RECORDS } from './redis-records.ts';

export const FAULT_GROUPS: readonly FaultGroup[] = [
  faultGroup({
    name: 'Redis',
    start: startRedisGroup,
    stop: stopRedisGroup,
    faults: [...REDIS_OUTAGES, ...REDIS_RECORDS],
  }),
];
