import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { contentSecurityPolicy, escapeHtml, StaticDocument } from '../http/documents.ts';
import type { Address } from './assets/model/address.ts';
import { viewOf } from './assets/model/periods.ts';
import { archiveNumbers, pathOf, type Station } from './assets/model/requests.ts';
import { factsOf, HOME_LEAD, HOME_TITLE, titleOf } from './assets/model/titles.ts';

/** The page never contains the key itself: it says where to find one. */
const DEMO_HINT =
  'While the archive holds nothing but demo reports, the output of <code>npm start</code> has a link that opens this page ' +
  'with a demo key. Otherwise create a key: <code>npm run keys -- create --plan starter</code>.';

export type PageSettings = {
  readonly demo: boolean;
  readonly guestPlan: string | undefined;
  /** The address of a link. */
  readonly contact: string | undefined;
};

/** Pages that are kept, each with its compressed forms about 50 kB for each of up to eight addresses of the service. */
const MOST_PAGES = 24;

/** A page contains what its first screen needs. `modulesOf`: a script and its imports, which are then loaded together. */
export async function openPages(
  { demo, guestPlan = '', contact }: PageSettings,
  modulesOf: (entry: 'main' | 'week') => readonly string[],
) {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
  const template = await read('page.html');
  const colors = await read('../docs/assets/color-scheme.js');
  const firstRequest = await read('assets/first-request.js');
  const sheets = ['../docs/assets/theme.css', 'assets/page.css', 'assets/charts.css'];
  const style = (await Promise.all(sheets.map(read))).join('');
  const policy = contentSecurityPolicy({ scripts: [colors, firstRequest], styles: [style] });
  const operator = `The operator of this service gives you a key${contact ? `: ${anchorTo(contact)}` : ''}.`;
  const keyHint = [(contact || !demo) && operator, demo && DEMO_HINT].filter(Boolean).join(' ');
  const parts = {
    style: `<style>${style}</style>`,
    colors: `<script>${colors}</script>`,
    'key-hint': `<template id="key-hint">${keyHint}</template>`,
  };
  const documents = new LRUCache<string, StaticDocument>({
    max: MOST_PAGES,
    memoMethod: (html) => new StaticDocument(html, 'html', { 'Content-Security-Policy': policy }),
  });

  /** The page at `/` with what is known of the station of the address. */
  return (address: Address, station: Station | undefined): StaticDocument => {
    const view = station?.lastReport === undefined ? undefined : viewOf(address, station);
    const first = view?.newest ?? view?.asks[0] ?? archiveNumbers;
    const guests = `data-guests="${guestPlan}"`;
    const modules = [...modulesOf('main'), ...(station ? modulesOf('week') : [])];
    const preloads = [...new Set(modules)]
      .map((path) => `<link rel="modulepreload" href="${path}" />`)
      .join('');
    const described = station && ` data-station="${escapeHtml(JSON.stringify(station))}"`;
    const frame = station === undefined ? HOME_FRAME : stationFrame(station);
    const own: Readonly<Record<string, string>> = {
      ...parts,
      path: address.station === '' ? '/' : `/?station=${address.station}`,
      title: escapeHtml(titleOf(address, station?.name)),
      description: escapeHtml(station === undefined ? HOME_LEAD : describeStation(station)),
      scripts: `<script data-request="${escapeHtml(pathOf(first))}" ${guests}>${firstRequest}</script>
    ${preloads}
    <script type="module" src="/assets/explorer/main.js"></script>`,
      content: `<main id="content" tabindex="-1" ${guests}${described ?? ''}>${frame}</main>`,
    };
    return documents.memo(template.replace(/<!-- ([\w-]+) -->/g, (_, name: string) => own[name] ?? ''));
  };
}

function describeStation(station: Station): string {
  const facts = [station.name, ...factsOf(station)].filter(Boolean).join(', ');
  const what = `METAR and SPECI reports of ${station.station}${facts && ` (${facts})`}`;
  const { lastReport } = station;
  if (lastReport === undefined) return `${what}: no report yet.`;
  return `${what}: years, climate, comparisons and downloads. Newest report: ${lastReport.slice(0, 16).replace('T', ' ')} UTC`;
}

const WITHOUT_SCRIPTS = `<noscript><p class="error">Reports and charts need JavaScript. The <a href="/docs/first-request">guides</a> work without it.</p></noscript>`;

const HOME_FRAME = `<div class="home"><h1>${HOME_TITLE} <small></small></h1><p class="lead">${HOME_LEAD}</p>${WITHOUT_SCRIPTS}</div>`;

/** The head of a station's page as the page itself draws it. */
function stationFrame(station: Station): string {
  const facts = factsOf(station).map((fact) => `<span>${escapeHtml(fact)}</span>`);
  const head = `<h1>${station.station} ${escapeHtml(station.name ?? '')}</h1><p class="facts">${facts.join('')}</p>`;
  return `<div class="answer"><header class="station-head"><div>${head}</div></header>${WITHOUT_SCRIPTS}</div>`;
}

/** The address has no other character of HTML: those of a URL are encoded. */
function anchorTo(address: string): string {
  const text = address.replaceAll('&', '&amp;');
  return `<a href="${text}">${text.replace(/^mailto:/, '')}</a>`;
}
