import { useEffect, useState } from '/assets/htm/preact.js';
import { formatAddress, parseAddress } from './model/address.js';

/** @import { Address } from './declarations.ts' */

/**
 * Goes to another view, with a step in the browser history unless it replaces the shown one.
 * @param {string} path
 * @param {boolean} [isReplacing]
 */
export function goTo(path, isReplacing = false) {
  if (path === location.pathname + location.search) return;
  if (isReplacing) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  // As if the user had moved in the browser history.
  dispatchEvent(new PopStateEvent('popstate'));
}

/** @param {string} path */
function openView(path) {
  goTo(path);
  scrollTo(0, 0);
}

/** @param {string} station */
export const openStation = (station) => openView(formatAddress({ station }));

/** @param {Partial<Address>} changes to the shown view */
export function change(changes) {
  goTo(formatAddress({ ...parseAddress(location.search), ...changes }));
}

/** The current address of the page. The one that it was opened with becomes what the page itself would write. */
export function useAddress() {
  const [query, setQuery] = useState(location.search);
  useEffect(() => {
    addEventListener('popstate', () => setQuery(location.search));
    goTo(formatAddress(parseAddress(location.search)), true);
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
  openView(link.pathname + link.search);
}
