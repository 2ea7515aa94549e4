import { useLayoutEffect, useState } from 'htm/preact/standalone';

const media = matchMedia('print');
/** Most answers arrive within a second; a page is printed as it is after this long. */
const WAIT_MS = 15_000;

let isPrinting = media.matches;
/** The parts of the page that are shown now, and render when this changes. */
const parts: Set<(isPrinting: boolean) => void> = new Set();

function setPrinting(value: boolean) {
  isPrinting = value;
  // Preact renders before the browser goes on, which takes its picture of the page after the event.
  for (const update of parts) update(value);
}

/**
 * The menu of a browser waits for no answer: paper says what was not loaded. All parts stay until they have their answers,
 * so that the next print has them.
 */
async function end() {
  await answered();
  setPrinting(media.matches);
}

media.addEventListener('change', () => (media.matches ? setPrinting(true) : end()));
addEventListener('beforeprint', () => setPrinting(true));
addEventListener('afterprint', end);

/** Resolves once no shown part waits for its answer. */
async function answered() {
  const deadline = performance.now() + WAIT_MS;
  do await new Promise((resolve) => setTimeout(resolve, 200));
  while (document.querySelector('.skeleton') !== null && performance.now() < deadline);
}

/** Whether the page is being printed: then all of its parts are shown. */
export function useIsPrinting() {
  const [value, setValue] = useState(isPrinting);
  useLayoutEffect(() => {
    parts.add(setValue);
    return () => void parts.delete(setValue);
  }, []);
  return value;
}

/** Ctrl+P shows all parts, and prints once their answers are there. */
async function print(event: KeyboardEvent) {
  if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  setPrinting(true);
  await answered();
  window.print();
}

addEventListener('keydown', print);
