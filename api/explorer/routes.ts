import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { ArchiveStations } from '../archive/archive-stations.ts';
import { type Documents, documentRoutes, readDocuments, StaticDocument } from '../http/documents.ts';
import type { Route, RouteEntry } from '../http/http-request.ts';
import type { SharedRead } from '../ops/shared-read.ts';

import { parseAddress } from './assets/model/address.ts';
import { openPages, type PageSettings } from './pages.ts';

/** How long a page waits for a newer list: without one it shows the last, or the frame alone. */
const WAIT_MS = 300;

/** They do not change while the process runs. */
let files: ReturnType<typeof loadAssets> | undefined;

/** The page at `/` with its files. */
export async function explorerRoutes(
  archiveStations: SharedRead<ArchiveStations>,
  settings: PageSettings,
): Promise<readonly RouteEntry[]> {
  const readStation = async (code: string) => {
    if (code === '') return undefined;
    // The page says itself, by its own requests, that the storage does not respond.
    const current = archiveStations.current().catch(() => {});
    await Promise.race([current, sleep(WAIT_MS, undefined, { ref: false })]);
    return archiveStations.last?.byCode.get(code);
  };
  files ??= loadAssets();
  const { documents, modulesOf } = await files;
  const pageOf = await openPages(settings, modulesOf);
  const handle: Route = async (ctx) => {
    const address = parseAddress(ctx.querystring);
    await pageOf(address, await readStation(address.station)).answer(ctx);
  };
  return [['/', { label: 'documents', handle }], ...documentRoutes(documents)];
}

/** The folder of the page's files, and their path. */
const [ASSETS, ASSETS_PATH] = [new URL('assets/', import.meta.url), '/assets/explorer'];

/** `main.js` for the first screen, `week.js` for the first figure, the others for what is below or elsewhere. */
const ENTRIES = { main: 'main.ts', week: 'views/period.ts', parts: 'parts.ts', map: 'charts/map.ts' };

async function loadAssets() {
  const { outputFiles, metafile } = buildSync({
    entryPoints: Object.entries(ENTRIES).map(([out, path]) => ({
      in: fileURLToPath(new URL(path, ASSETS)),
      out,
    })),
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
  const scripts = outputFiles.map(({ path, text }) => [path, new StaticDocument(text, 'js')] as const);
  const documents: Documents = {
    ...Object.fromEntries(scripts),
    ...(await readDocuments(ASSETS_PATH, ASSETS, /\.(svg|png)$/)),
  };
  /** The paths of a script and of those that it imports. */
  const modulesOf = (entry: 'main' | 'week') =>
    [...new Set(importsOf(`${ASSETS_PATH.slice(1)}/${entry}.js`))].map((path) => `/${path}`);
  return { documents, modulesOf };
}
