import { setTimeout as sleep } from 'node:timers/promises';
import { Answers } from './clients/answers.ts';

/** What clients may see while the fault lasts. */
type Expectation = {
  /** Labels of the answers that are right, such as `200` or `503 overloaded`. */
  readonly answers: readonly string[];
  /** Labels of which at least one answer must occur: otherwise the fault did not happen. */
  readonly required?: readonly string[];
  readonly longestWaitMs: number;
};

export type Outcome = {
  readonly answers?: Answers;
  /** Undefined if the service did not recover. */
  readonly recoveryMs?: number | undefined;
  /** What was measured besides the answers. */
  readonly notes?: readonly string[];
  /** Each condition that must not occur and did; `false` for one that did not. */
  readonly breaches?: readonly (string | false)[];
};

/** One row of the table. `T` is what the faults of a group share. */
export type Fault<T = undefined> = {
  readonly name: string;
  /** What is done to the service. */
  readonly action: string;
  /** Absent where no client asks. */
  readonly expect?: Expectation;
  /** From the end of the fault to the first good answer, at most. */
  readonly recoveryMs?: number;
  readonly run: (shared: T) => Promise<Outcome>;
};

export type Row = {
  readonly group: string;
  readonly name: string;
  readonly seen: string;
  readonly breaches: readonly string[];
};

type Selection = {
  readonly isSelected: (name: string) => boolean;
  readonly report: (row: Row) => void;
};

/** A group without the type of what its faults share. */
export type FaultGroup = {
  readonly name: string;
  /** What the service does in all of them, and what is done to it. */
  readonly about: string;
  readonly faults: readonly Pick<Fault<never>, 'name'>[];
  /** Runs the selected faults, and reports each as it ends. */
  run(selection: Selection): Promise<void>;
};

/** What the faults of a group share; nothing where each starts its own. */
type Shared<T> = { readonly start: () => Promise<T>; readonly stop: (shared: T) => Promise<void> };

const NOTHING: Shared<undefined> = { start: async () => undefined, stop: async () => {} };

export const ownStarts = (name: string, about: string, faults: readonly Fault[]): FaultGroup =>
  faultGroup(name, about, NOTHING, faults);

/** The faults run one after another on what `start` made. After one that did not hold, the others get a new start. */
export function faultGroup<T>(
  name: string,
  about: string,
  { start, stop }: Shared<T>,
  faults: readonly Fault<T>[],
): FaultGroup {
  return {
    name,
    about,
    faults,
    async run({ isSelected, report }) {
      let shared: { readonly value: T } | undefined;
      const close = async () => {
        if (shared !== undefined) await stop(shared.value);
        shared = undefined;
      };
      try {
        for (const fault of faults.filter((each) => isSelected(each.name))) {
          process.stderr.write(`${name}: ${fault.name}: ${fault.action}\n`);
          const outcome = await outcomeOf(async () => {
            shared ??= { value: await start() };
            return fault.run(shared.value);
          });
          const row = toRow(name, fault, outcome);
          report(row);
          if (row.breaches.length > 0) await close();
        }
      } finally {
        await close();
      }
    },
  };
}

/** A fault that does not end in this time counts as a hang. On two cores with ten programs beside it one took 175 s. */
const FAULT_TIMEOUT_MS = 400_000;

async function outcomeOf(run: () => Promise<Outcome>): Promise<Outcome | Error> {
  const timer = new AbortController();
  const expired = sleep(FAULT_TIMEOUT_MS, undefined, { signal: timer.signal }).then(
    () => new Error(`did not end within ${FAULT_TIMEOUT_MS / 1000} s`),
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

function toRow<T>(group: string, fault: Fault<T>, outcome: Outcome | Error): Row {
  const { name } = fault;
  if (outcome instanceof Error) return { group, name, seen: 'not measured', breaches: [outcome.message] };
  const { answers, recoveryMs, notes = [] } = outcome;
  const recovery = recoveryMs === undefined ? '' : `recovery ${seconds(recoveryMs)}`;
  const seen = [answers?.summary() ?? '', ...notes, recovery].filter(Boolean).join('; ');
  return { group, name, seen, breaches: judge(fault, outcome) };
}

/** Everything in which the outcome differs from what is expected; empty where the service held. */
function judge<T>(
  { expect = { answers: [], longestWaitMs: 0 }, recoveryMs: limitMs }: Fault<T>,
  { answers = new Answers(), recoveryMs, breaches = [] }: Outcome,
): readonly string[] {
  const { longestWaitMs, required = [] } = expect;
  const wrong = answers.labels().filter((label) => !expect.answers.includes(label));
  const missing = required.filter((label) => !answers.labels().includes(label));
  const longestMs = Math.round(answers.longestMs);
  const recovery = recoveryMs === undefined ? 'not seen' : `${Math.round(recoveryMs)} ms`;
  const found = [
    ...wrong.map((label) => `wrong answer: ${label}`),
    ...missing.map((label) => `no answer ${label}: the fault had no effect`),
    answers.longestMs > longestWaitMs && `longest wait ${longestMs} ms, limit ${longestWaitMs} ms`,
    limitMs !== undefined &&
      (recoveryMs ?? Number.POSITIVE_INFINITY) > limitMs &&
      `recovery ${recovery}, limit ${limitMs} ms`,
    ...answers.faults,
    ...breaches,
  ];
  return found.filter((breach) => breach !== false);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
