import { ROLLING_RESTART } from './clients/rolling-restart.ts';
import { type FaultGroup, faultGroup, ownStarts } from './fault.ts';
import { HOSTILE_SOURCE } from './loader/hostile-source.ts';
import { LOAD_KILLS } from './loader/load-kills.ts';
import { HEAVY_FAULTS, PAGE_CACHE_FAULTS, startContainer, stopContainer } from './memory/heavy-group.ts';
import { ENGINE_IN_2_GB } from './memory/limited-memory.ts';
import { POWER_FAILURES } from './power/power-failures.ts';

/** Every fault of the table. A group starts the service once, and again after a fault that did not hold. */
export const FAULT_GROUPS: readonly FaultGroup[] = [
  faultGroup(
    'Memory',
    `The service serves other keys. In 1 GB, a key sends 100 requests a second for 10 s, unless the row says otherwise; another
asks for small pages, and waits as long as recorded in the median. Memory is that of the api, and of both with the engine.`,
    { start: startContainer, stop: stopContainer },
    HEAVY_FAULTS,
  ),
  ownStarts('Memory of the engine', 'What needs more memory than there is is refused or broken off.', [
    ENGINE_IN_2_GB,
  ]),
  ownStarts(
    'Page cache',
    'Memory stays bounded. A key asks for coverages of 1,000 stations, 20 at a time.',
    PAGE_CACHE_FAULTS,
  ),
  ownStarts('Stopping', 'Every request is answered.', ROLLING_RESTART),
  ownStarts('Loads', 'No report is lost. The recovery is a whole start. Memory is that of the loader.', [
    ...LOAD_KILLS,
    ...HOSTILE_SOURCE,
  ]),
  ownStarts(
    'Power failures',
    `Nothing acknowledged is lost. The disk keeps what was synced. Recorded are the reports not stored yet; the
recovery is a whole start.`,
    POWER_FAILURES,
  ),
];
