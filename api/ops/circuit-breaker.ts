/** Runs work, or refuses to while it is known to be hopeless. */
export type CircuitBreaker = <T>(work: () => Promise<T>) => Promise<T>;

/** Why nothing was tried. */
export class CircuitOpenError extends Error {
  override readonly name = 'Resting';
}

/**
 * Opens after a few failures in a row; then one trial is let through per rest, and its success closes the breaker.
 * A store that accepts connections and says nothing costs each request its whole time limit: this spares all but
 * one request a rest from paying it.
 */
export function createCircuitBreaker({ failures = 3, restMilliseconds = 500 } = {}): CircuitBreaker {
  let failed = 0;
  let nextTrialAt = 0;
  return async (work) => {
    if (failed >= failures) {
      if (performance.now() < nextTrialAt)
        throw new CircuitOpenError('It failed repeatedly and is tried again shortly');
      nextTrialAt = performance.now() + restMilliseconds;
    }
    try {
      const result = await work();
      failed = 0;
      return result;
    } catch (error) {
      failed += 1;
      nextTrialAt = performance.now() + restMilliseconds;
      throw error;
    }
  };
}
