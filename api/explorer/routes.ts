import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { LRUCache } from 'lru-cache';
import type { ArchiveStations } from '../archive/route.ts';
import * as documents from '../http/documents.ts';
import type { Route, RouteEntry } from '../http/http-request.ts';
import type { SharedRead } from '../ops/shared-read.ts';
import { formatTime } from './assets/format.ts';
import { type Address, parseAddress, viewOf } from './assets/model/address.ts';
import { archiveNumbers, pathOf, type Station } from './assets/model/requests.ts';
import { factsOf, HOME_LEAD, HOME_TITLE, titleOf } from './assets/model/stations.ts';

/** How long a page waits for a new list of stations. After that it is sent with the last list, or without one. */
const WAIT_MS = 300;

/** Pages that are kept, each with its compressed forms about 50 kB for each of up to eight addresses of the service. */
const MOST_PAGES = 24;

type PageSettings = {
  readonly demo: boolean;
  readonly guestPlan: string | undefined;
  /** The address of a link. */
  readonly contact: string | undefined;
};

/** The files of the page, which do not change while the process runs. */
let files: ReturnType<typeof loadAssets> | undefined;

/** The page at `/` with its files. */
export async function explorerRoutes(
  archiveStations: SharedRead<ArchiveStations>,
  settings: PageSettings,
): Promise<readonly RouteEntry[]> {
  const readStation = async (code: string) => {
    if (code === '') return undefined;
    // A failure needs no answer here: the requests of the page itself show that the storage does not respond.
    const current = archiveStations.current().catch(() => {});
    await Promise.race([current, sleep(WAIT_MS, undefined, { ref: false })]);
    return archiveStations.last?.byCode.get(code);
  };
  files ??= loadAssets();
  const { assets, modulesOf } = await files;
  const pageOf = await openPages(settings, modulesOf);
  const handle: Route = async (ctx) => {
    const address = parseAddress(ctx.querystring);
    await pageOf(address, await readStation(address.station)).answer(ctx);
  };
  return [['/', { label: 'documents', handle }], ...documents.documentRoutes(assets)];
}

/** The folder of the page's files, and their path. */
const [ASSETS, ASSETS_PATH] = [new URL('assets/', import.meta.url), '/assets/explorer'];

async function loadAssets() {
  const folder = fileURLToPath(ASSETS);
  const { outputFiles, metafile } = buildSync({
    // The first screen, the first figure, the sections below it, and the map of the home page.
    entryPoints: {
      main: `${folder}main.ts`,
      week: `${folder}views/period.ts`,
      parts: `${folder}parts.ts`,
      map: `${folder}charts/map.ts`,
    },
    outdir: ASSETS_PATH,
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    // The image has no `tsconfig.json` of the repository.
    tsconfigRaw: {},
    write: false,
    absWorkingDir: '/',
    metafile: true,
  });
  const importsOf = (path: string): readonly string[] => {
    const imports = metafile.outputs[path]?.imports.filter(({ kind }) => kind === 'import-statement');
    return [path, ...(imports ?? []).flatMap((each) => importsOf(each.path))];
  };
  const scripts = outputFiles.map(
    ({ path, text }) => [path, new documents.StaticDocument(text, 'js')] as const,
  );
  const others = await documents.readDocuments(ASSETS_PATH, ASSETS, /\.(svg|png)$/);
  return {
    assets: { ...Object.fromEntries(scripts), ...others },
    /** The paths of a script and of those that it imports. */
    modulesOf: (entry: 'main' | 'week') =>
      importsOf(`${ASSETS_PATH.slice(1)}/${entry}.js`).map((path) => `/${path}`),
  };
}

type ModulesOf = Awaited<ReturnType<typeof loadAssets>>['modulesOf'];

/** The page never contains the key itself: it says where to find one. */
const DEMO_HINT =
  'While the archive holds nothing but demo reports, the output of <code>npm start</code> has a link that opens this page ' +
  'with a demo key. Otherwise create a key: <code>npm run keys -- create --plan starter</code>.';

/** A page contains the data of its first screen and names all scripts of it, so that these are loaded together. */
async function openPages({ demo, guestPlan = '', contact }: PageSettings, modulesOf: ModulesOf) {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
  const template = await read('page.html');
  const colors = await read('../docs/assets/color-scheme.js');
  const firstRequest = await read('assets/first-request.js');
  const sheets = ['../docs/assets/theme.css', 'assets/page.css', 'assets/charts.css'];
  const style = (await Promise.all(sheets.map(read))).join('');
  const policy = documents.contentSecurityPolicy({ scripts: [colors, firstRequest], styles: [style] });
  const operator = `The operator of this service gives you a key${contact ? `: ${anchorTo(contact)}` : ''}.`;
  const keyHint = [(contact || !demo) && operator, demo && DEMO_HINT].filter(Boolean).join(' ');
  const pages = new LRUCache<string, documents.StaticDocument>({
    max: MOST_PAGES,
    memoMethod: (html) => new documents.StaticDocument(html, 'html', { 'Content-Security-Policy': policy }),
  });

  /** The page at `/` for an address, with what is known of its station without a key. */
  return (address: Address, station: Station | undefined): documents.StaticDocument => {
    const view = station?.lastReport === undefined ? undefined : viewOf(address, station);
    const first = view?.newest ?? view?.asks[0] ?? archiveNumbers;
    const guests = `data-guests="${guestPlan}"`;
    const modules = new Set([...modulesOf('main'), ...(station ? modulesOf('week') : [])]);
    const preloads = [...modules].map((path) => `<link rel="modulepreload" href="${path}" />`).join('');
    const described = station && ` data-station="${documents.escapeHtml(JSON.stringify(station))}"`;
    const frame = station === undefined ? HOME_FRAME : stationFrame(station);
    const parts: Readonly<Record<string, string>> = {
      style: `<style>${style}</style>`,
      colors: `<script>${colors}</script>`,
      'key-hint': `<template id="key-hint">${keyHint}</template>`,
      path: address.station === '' ? '/' : `/?station=${address.station}`,
      title: documents.escapeHtml(titleOf(address, station?.name)),
      description: documents.escapeHtml(station === undefined ? HOME_LEAD : describeStation(station)),
      scripts: `<script data-request="${documents.escapeHtml(pathOf(first))}" ${guests}>${firstRequest}</script>
    ${preloads}
    <script type="module" src="/assets/explorer/main.js"></script>`,
      content: `<main id="content" tabindex="-1" ${guests}${described ?? ''}>${frame}</main>`,
    };
    return pages.memo(template.replace(/<!-- ([\w-]+) -->/g, (_, name: string) => parts[name] ?? ''));
  };
}

function describeStation(station: Station): string {
  const facts = [station.name, ...factsOf(station)].filter(Boolean).join(', ');
  const what = `METAR and SPECI reports of ${station.station}${facts && ` (${facts})`}`;
  if (station.lastReport === undefined) return `${what}: no report yet.`;
  return `${what}: years, climate, comparisons and downloads. Newest report: ${formatTime(station.lastReport)} UTC`;
}

const WITHOUT_SCRIPTS = `<noscript><p class="error">Reports and charts need JavaScript. The <a href="/docs/first-request">guides</a> work without it.</p></noscript>`;

const HOME_FRAME = `<div class="home"><h1>${HOME_TITLE} <small></small></h1><p class="lead">${HOME_LEAD}</p>${WITHOUT_SCRIPTS}</div>`;

/** The head of a station's page, the same as the page draws later. */
function stationFrame(station: Station): string {
  const facts = factsOf(station).map((fact) => `<span>${documents.escapeHtml(fact)}</span>`);
  const head = `<h1>${station.station} ${documents.escapeHtml(station.name ?? '')}</h1><p class="facts">${facts.join('')}</p>`;
  return `<div class="answer"><header class="station-head"><div>${head}</div></header>${WITHOUT_SCRIPTS}</div>`;
}

/** Only `&` needs escaping: other characters of HTML are encoded in a URL. */
function anchorTo(address: string): string {
  const text = address.replaceAll('&', '&amp;');
  return `<a href="${text}">${text.replace(/^mailto:/, '')}</a>`;
}
