import { useEffect, useState } from '/assets/htm/preact.js';
import { formatAddress, parseAddress } from './model/address.js';

/** @import { Address } from './declarations.ts' */

const MOVED = 'address';

/**
 * Goes to another view, with a step in the browser history unless it replaces the shown one.
 * @param {string} path
 * @param {boolean} [isReplacing]
 */
export function goTo(path, isReplacing = false) {
  if (path === location.pathname + location.search) return;
  if (isReplacing) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  dispatchEvent(new Event(MOVED));
}

/** @param {string} station */
export function openStation(station) {
  goTo(formatAddress({ station }));
  scrollTo(0, 0);
}

/** @param {Partial<Address>} changes to the shown view */
export function change(changes) {
  goTo(formatAddress({ ...parseAddress(location.search), ...changes }));
}

/** The current address of the page. */
export function useAddress() {
  const [query, setQuery] = useState(location.search);
  useEffect(() => {
    const read = () => setQuery(location.search);
    addEventListener(MOVED, read);
    addEventListener('popstate', read);
  }, []);
  return parseAddress(query);
}

/**
 * Follows a link to another view without reloading the page, unless the user wants a new tab or window.
 * @param {MouseEvent} event
 */
export function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (link === null || !isPlain) return;
  if (link.origin !== location.origin || link.pathname !== '/' || link.hash !== '') return;
  event.preventDefault();
  goTo(link.pathname + link.search);
  scrollTo(0, 0);
}
