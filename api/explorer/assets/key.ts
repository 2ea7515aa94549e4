/**
 * The user's key. It is kept in the storage of this browser, so that a new tab does not ask for it again, and is in no
 * URL or cookie. This module is loaded before all others, so that a key in the address, where the service's start
 * message puts it (`/#key=…`), is visible as briefly as possible. Browsers send no fragment to a server.
 */
const STORED_KEY = 'historical-observations-key';

export function readKey(): string | undefined {
  return localStorage.getItem(STORED_KEY) ?? undefined;
}

export function writeKey(key: string | undefined) {
  if (key === undefined) localStorage.removeItem(STORED_KEY);
  else localStorage.setItem(STORED_KEY, key);
  // Browsers tell only the other tabs.
  dispatchEvent(new StorageEvent('storage', { key: STORED_KEY }));
}

/** Calls the listener when the key changes, even in another tab of this browser. */
export function onKeyChange(listener: () => void) {
  addEventListener('storage', ({ key }) => key === STORED_KEY && listener());
}

function takeKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (given === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  if (given !== '') writeKey(given);
}

takeKey();
addEventListener('hashchange', takeKey);
