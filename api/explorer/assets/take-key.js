import { sessionKey } from './requests/session-key.js';

/**
 * Takes a key out of the address, where the start message of the service puts it (`/#key=…`). A browser sends no
 * fragment to a server. This script loads before all others, so that the key is in sight for as short as possible.
 */
function takeKey() {
  const state = new URLSearchParams(location.hash.slice(1));
  const key = state.get('key');
  if (key === null) return;
  state.delete('key');
  const rest = state.size === 0 ? '' : `#${state}`;
  history.replaceState(null, '', location.pathname + location.search + rest);
  if (key !== '') sessionKey.write(key);
}

takeKey();
addEventListener('hashchange', takeKey);
