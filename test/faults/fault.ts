import type { Answers } from './clients/answers.ts';

/** What clients may see while the fault lasts. */
export type Expectation = {
  /** Labels of the answers that are right, such as `200` or `503 overloaded`. */
  readonly answers: readonly string[];
  /** Labels of which at least one answer must occur: otherwise the fault did not happen. */
  readonly required?: readonly string[];
  readonly longestWaitMs: number;
  /** From the end of the fault to the first good answer. */
  readonly recoveryMs?: number;
};

export type Outcome = {
  readonly answers: Answers;
  readonly recoveryMs?: number;
  /** What was measured besides the answers. */
  readonly notes?: readonly string[];
  /** What must not be, and was. */
  readonly breaches?: readonly string[];
};

/** One row of the table. `T` is what the faults of a group share. */
export type Fault<T> = {
  readonly name: string;
  /** What the service does, for the document. */
  readonly does: string;
  /** What is done to the service. */
  readonly action: string;
  readonly expect: Expectation;
  readonly run: (shared: T) => Promise<Outcome>;
};

/** The faults of a group run one after another on what `start` made. */
export type Group<T> = {
  readonly name: string;
  readonly start: () => Promise<T>;
  readonly stop: (shared: T) => Promise<void>;
  readonly faults: readonly Fault<T>[];
  /** The faults mostly wait: they run beside those of other groups. */
  readonly runsBesideOthers?: boolean;
};

/** A group without the type of what its faults share. */
export type FaultGroup = {
  readonly name: string;
  readonly faults: readonly Pick<Fault<never>, 'name' | 'does' | 'expect'>[];
  readonly runsBesideOthers: boolean;
  /** Runs the selected faults that can start before the deadline, and reports each as it ends. */
  run(selection: Selection): Promise<void>;
};

type Selection = {
  readonly isSelected: (name: string) => boolean;
  /** By `performance.now()`. */
  readonly deadline: number;
  readonly report: (row: Row) => void;
};

export type Row = {
  readonly group: string;
  readonly name: string;
  readonly does: string;
  readonly seen: string;
  readonly recovery: string;
  readonly breaches: readonly string[];
};
