import { useEffect, useState } from 'htm/preact/standalone';
import { TransportError } from '../../client/observations.js';
import { RETRY_MS } from './model/answers.ts';

/** A part of the page that the first screen does not need: the answer of the browser's own request for the script. */
export function useModule<M>(load: () => Promise<M>, isWanted = true) {
  const [state, setState] = useState<{ data?: M; error?: unknown }>({});
  const start = () => {
    setState({});
    load().then(
      (data) => setState({ data }),
      (cause) => {
        setState({ error: new TransportError('A part of the page could not be loaded', { cause }) });
        setTimeout(start, RETRY_MS);
      },
    );
  };
  useEffect(() => {
    if (isWanted && state.data === undefined) start();
  }, [isWanted]);
  const { data, error } = state;
  return { data, error, isLoading: data === undefined, waitSeconds: undefined, again: start };
}
