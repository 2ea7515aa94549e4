import { useEffect, useState } from '/assets/htm/preact.js';
import { formatAddress, parseAddress } from './model/address.js';

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * Goes to another view, to which the back button returns.
 *
 * @param {string} path
 */
export function goTo(path) {
  if (path === location.pathname + location.search) return;
  history.pushState(null, '', path);
  for (const listener of listeners) listener();
}

/** @typedef {import('./model/address.js').Address} Address */

/** @param {Partial<Address>} changes of the view that is shown */
export function change(changes) {
  goTo(formatAddress({ ...parseAddress(location.search), ...changes }));
}

/** @returns {Address} that of the page, as it changes */
export function useAddress() {
  const [query, setQuery] = useState(location.search);
  useEffect(() => {
    const read = () => setQuery(location.search);
    listeners.add(read);
    addEventListener('popstate', read);
    return () => {
      listeners.delete(read);
      removeEventListener('popstate', read);
    };
  }, []);
  return parseAddress(query);
}

/**
 * Follows a link to another view without loading the page again, unless a new tab or window is wanted.
 *
 * @param {MouseEvent} event
 */
export function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (
    link === null ||
    !isPlain ||
    link.origin !== location.origin ||
    link.pathname !== '/' ||
    link.hash !== ''
  )
    return;
  event.preventDefault();
  goTo(link.pathname + link.search);
  scrollTo(0, 0);
}
