import { useEffect, useState } from 'htm/preact/standalone';
import { TransportError } from '../../client/observations.js';

/** @import { Answer } from './declarations.ts' */

/**
 * The parts of the page that d3 draws: the answer of the browser's own request for the script.
 * @param {boolean} isWanted
 * @returns {Answer<typeof import('./parts.js')>}
 */
export function useParts(isWanted) {
  const [state, setState] = useState(
    /** @type {{ data?: typeof import('./parts.js'), error?: unknown }} */ ({}),
  );
  const load = () => {
    setState({});
    import('./parts.js').then(
      (data) => setState({ data }),
      (cause) =>
        setState({ error: new TransportError('The charts of the page could not be loaded.', { cause }) }),
    );
  };
  useEffect(() => {
    if (isWanted) load();
  }, [isWanted]);
  const { data, error } = state;
  return { data, error, isLoading: data === undefined, waitSeconds: undefined, again: load };
}
