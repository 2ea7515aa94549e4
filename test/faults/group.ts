import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, FaultGroup, Group, Outcome, Row } from './fault.ts';
import { judge } from './judge.ts';

/** A fault that does not end in this time counts as a hang. */
const FAULT_TIMEOUT_MS = 200_000;

/** After a fault that did not hold, the others of the group get a new start. */
export function faultGroup<T>(group: Group<T>): FaultGroup {
  const { name, start, stop, faults, runsBesideOthers = false } = group;
  return {
    name,
    faults,
    runsBesideOthers,
    async run({ isSelected, deadline, report }) {
      let shared: T | undefined;
      const close = async () => {
        if (shared !== undefined) await stop(shared);
        shared = undefined;
      };
      try {
        for (const fault of faults.filter((each) => isSelected(each.name))) {
          process.stderr.write(`${name}: ${fault.name}: ${fault.action}\n`);
          const row = await outcomeOf(fault, async () => {
            if (performance.now() > deadline) throw new Error('not run: the time is over');
            shared ??= await start();
            return fault.run(shared);
          }).then((outcome) => toRow(name, fault, outcome));
          report(row);
          if (row.breaches.length > 0) await close();
        }
      } finally {
        await close();
      }
    },
  };
}

async function outcomeOf<T>(fault: Fault<T>, run: () => Promise<Outcome>): Promise<Outcome | Error> {
  const timer = new AbortController();
  const expired = sleep(FAULT_TIMEOUT_MS, undefined, { signal: timer.signal }).then(
    () => new Error(`${fault.name} did not end within ${FAULT_TIMEOUT_MS / 1000} s`),
    () => new Error('cancelled'),
  );
  try {
    return await Promise.race([run(), expired]);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    timer.abort();
  }
}

function toRow<T>(group: string, { name, does, expect }: Fault<T>, outcome: Outcome | Error): Row {
  if (outcome instanceof Error)
    return { group, name, does, seen: 'not measured', recovery: '', breaches: [outcome.message] };
  const { answers, recoveryMs, notes = [] } = outcome;
  return {
    group,
    name,
    does,
    seen: [answers.summary(), ...notes].filter(Boolean).join('; '),
    recovery: recoveryMs === undefined ? '' : seconds(recoveryMs),
    breaches: judge(expect, outcome),
  };
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
