/** Most answers arrive within a second; a page is printed as it is after this long. */
const WAIT_MS = 15_000;

/** Ctrl+P prints once all answers are there. The menu of a browser waits for none: paper says what was not loaded. */
async function print(event: KeyboardEvent) {
  if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  dispatchEvent(new Event('beforeprint'));
  const deadline = performance.now() + WAIT_MS;
  do await new Promise((resolve) => setTimeout(resolve, 200));
  while (document.querySelector('.skeleton') !== null && performance.now() < deadline);
  window.print();
}

addEventListener('keydown', print);
