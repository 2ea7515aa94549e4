import { useLayoutEffect, useState } from 'htm/preact/standalone';
import { type Address, formatAddress, parseAddress, timesOf } from './model/address.ts';
import type { Station } from './model/requests.ts';

/** Goes to another view, with a step in the browser history unless it replaces the shown one. */
export function goTo(path: string, isReplacing = false) {
  if (path === location.pathname + location.search + location.hash) return;
  if (isReplacing) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  // As if the user had moved in the browser history.
  dispatchEvent(new PopStateEvent('popstate'));
}

function openView(path: string) {
  goTo(path);
  scrollTo(0, 0);
}

export const openStation = (station: string) => openView(formatAddress({ station }));

/** Changes the shown view, which is no longer that of one report. */
export function change(changes: Partial<Address>) {
  goTo(formatAddress({ ...parseAddress(location.search), report: '', ...changes }));
}

/** A link to what is shown, which keeps its dates when newer reports arrive. */
export const linkTo = (address: Address, { lastReport }: Pick<Station, 'lastReport'>) =>
  location.origin + formatAddress({ ...address, day: timesOf(address, lastReport).day });

/** Replaces the address with which the page was opened by the form that the page itself writes, before a control is visible. */
export function useAddress() {
  const [query, setQuery] = useState(location.search);
  useLayoutEffect(() => {
    addEventListener('popstate', () => setQuery(location.search));
    goTo(formatAddress(parseAddress(location.search)) + location.hash, true);
  }, []);
  return parseAddress(query);
}

/** Follows a link to another view without reloading the page, unless the user wants a new tab or window. */
export function followLink(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (link === null || !isPlain) return;
  if (link.origin !== location.origin || link.pathname !== '/' || link.hash !== '') return;
  event.preventDefault();
  openView(link.pathname + link.search);
}
