import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ArchiveStations } from '../archive/archive-stations.ts';
import type { SharedRead } from '../archive/shared-read.ts';
import { type Documents, documentRoutes, readDocuments, StaticDocument } from '../http/documents.ts';
import type { Route, RouteEntry } from '../http/http-request.ts';
import type { Station } from './assets/declarations.ts';
import { parseAddress } from './assets/model/address.js';
import { joinModules } from './join-modules.ts';
import { openPages, type PageSettings } from './pages.ts';

/** How long a page waits for a newer list: without one it shows the last, or the frame alone. */
const WAIT_MS = 300;

/** The page at `/` with its files, and the list of stations. */
export async function explorerRoutes(
  archiveStations: SharedRead<ArchiveStations>,
  settings: PageSettings,
): Promise<readonly RouteEntry[]> {
  const readStations = async () => {
    // The page says itself, by its own requests, that the storage does not respond.
    const current = archiveStations.current().catch(() => {});
    await Promise.race([current, sleep(WAIT_MS, undefined, { ref: false })]);
    return archiveStations.last?.byCode ?? new Map<string, Station>();
  };
  const pages = await openPages(settings);
  const pathRoute = (path: string, handle: Route): RouteEntry => [path, { label: 'documents', handle }];
  return [
    pathRoute('/', async (ctx) => {
      const address = parseAddress(ctx.querystring);
      const known = address.station === '' ? undefined : (await readStations()).get(address.station);
      await pages.explorer(address, known).answer(ctx);
    }),
    pathRoute('/stations', async (ctx) => {
      const after = new URLSearchParams(ctx.querystring).get('after') ?? '';
      await pages.stations([...(await readStations()).values()], after).answer(ctx);
    }),
    ...documentRoutes(await loadFiles()),
  ];
}

const MAIN = '/assets/explorer/main.js';
const PARTS = '/assets/explorer/parts.js';

/** Packages that have all their modules in one file, which a browser runs as it is. */
const PACKAGES: Readonly<Record<string, URL>> = {
  '/assets/htm/preact.js': besideModule('htm/preact', 'standalone.module.js'),
  '/assets/suncalc/index.js': besideModule('suncalc', 'index.js'),
};

async function loadFiles(): Promise<Documents> {
  const main = await joinModules(MAIN, locate);
  const parts = await joinModules(PARTS, locate, { path: MAIN, ...main });
  // Sets the global name d3.
  const d3 = await readFile(besideModule('d3', 'd3.min.js'), 'utf8');
  return {
    [MAIN]: new StaticDocument(main.text, 'js'),
    [PARTS]: new StaticDocument(`${d3}\n${parts.text}`, 'js'),
    ...(await readDocuments('/assets/explorer', new URL('assets/', import.meta.url), /\.(svg|png)$/)),
  };
}

/** The file of a module: of the page, of the public client, which the page uses, or of a package. */
function locate(path: string): URL {
  const file = path.replace('/assets/explorer/', 'assets/').replace(/^\/client\//, '../client/');
  return PACKAGES[path] ?? new URL(file, import.meta.url);
}

/** A file in the folder of a package's module: packages export few of their files by name. */
function besideModule(module: string, file: string): URL {
  return new URL(file, pathToFileURL(createRequire(import.meta.url).resolve(module)));
}
