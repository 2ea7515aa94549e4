import '/assets/d3/d3.min.js';

/** The package is one script that sets a global name. */
export const d3 = /** @type {{ d3: typeof import('d3') }} */ (/** @type {unknown} */ (globalThis)).d3;
