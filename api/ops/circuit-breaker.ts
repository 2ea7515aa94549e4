/** Runs work, or throws `CircuitOpenError` without starting it while the circuit is open. */
export type CircuitBreaker = <T>(work: () => Promise<T>) => Promise<T>;

/** The work was not started because recent attempts failed. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';
}

/**
 * Opens after `failureThreshold` failures in a row. While it is open, one trial runs every `halfOpenAfterMs`; a
 * successful trial closes it. A store that accepts connections but does not respond costs each request its full time
 * limit; while the circuit is open, only the trial pays it.
 */
export function createCircuitBreaker({ failureThreshold = 3, halfOpenAfterMs = 500 } = {}): CircuitBreaker {
  let failures = 0;
  let nextTrialAt = 0;
  return async (work) => {
    if (failures >= failureThreshold) {
      if (performance.now() < nextTrialAt) throw new CircuitOpenError('The last attempts failed');
      nextTrialAt = performance.now() + halfOpenAfterMs;
    }
    try {
      const result = await work();
      failures = 0;
      return result;
    } catch (error) {
      failures += 1;
      nextTrialAt = performance.now() + halfOpenAfterMs;
      throw error;
    }
  };
}
