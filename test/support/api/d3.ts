import * as d3 from 'd3';

// On the page, a script sets this name.
Object.assign(globalThis, { d3 });
