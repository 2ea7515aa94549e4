import type { Expectation, Outcome } from './fault.ts';

/** Everything in which the outcome differs from what is expected; empty where the service held. */
export function judge(
  expect: Expectation,
  { answers, recoveryMs, breaches = [] }: Outcome,
): readonly string[] {
  const { longestWaitMs, required = [] } = expect;
  const wrong = answers.labels().filter((label) => !expect.answers.includes(label));
  const missing = required.filter((label) => !answers.labels().includes(label));
  const limit = expect.recoveryMs;
  return [
    ...wrong.map((label) => `wrong answer: ${label}`),
    ...missing.map((label) => `no answer ${label}: the fault had no effect`),
    ...(answers.longestMs > longestWaitMs
      ? [`longest wait ${Math.round(answers.longestMs)} ms, limit ${longestWaitMs} ms`]
      : []),
    ...(limit !== undefined && (recoveryMs ?? Number.POSITIVE_INFINITY) > limit
      ? [
          `recovery ${recoveryMs === undefined ? 'not seen' : `${Math.round(recoveryMs)} ms`}, limit ${limit} ms`,
        ]
      : []),
    ...answers.faults,
    ...breaches,
  ];
}
