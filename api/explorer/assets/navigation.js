import { useEffect, useState } from '/assets/htm/preact.js';
import { formatAddress, parseAddress } from './model/address.js';

/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * Goes to another view and adds it to the browser history.
 *
 * @param {string} path
 */
export function goTo(path) {
  if (path === location.pathname + location.search) return;
  history.pushState(null, '', path);
  for (const listener of listeners) listener();
}

/** @typedef {import('./model/address.js').Address} Address */

/** @param {Partial<Address>} changes to the shown view */
export function change(changes) {
  goTo(formatAddress({ ...parseAddress(location.search), ...changes }));
}

/** @returns {Address} the current address of the page */
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
 * Follows a link to another view without reloading the page, unless the user wants a new tab or window.
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
