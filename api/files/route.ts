import type { Context } from 'koa';
import send from 'send';
import type { Manifest } from '../../clickhouse/snapshot/manifest.ts';
import type { RouteContext } from '../compose.ts';
import { MEDIA_TYPES } from '../contract/endpoint.ts';
import { acceptRequest } from '../http/accept-request.ts';
import { matchesEntityTag } from '../http/http-request.ts';
import { CLIENT_TIMEOUT_MS, closeIfSilent } from '../http/slow-clients.ts';
import { Problem, retryAfter } from '../problem.ts';
import { NoSnapshotError } from './snapshot-files.ts';

const TYPES = { json: MEDIA_TYPES.json, parquet: MEDIA_TYPES.parquet } as const;

/**
 * `GET /v1/history/files/` lists the files of the snapshot; `GET` and `HEAD` of a path below it send a file, or the ranges of its
 * bytes that the client asks for. Each request counts. Nothing of the engine is used, so none waits for a place.
 */
export async function answerFiles(ctx: Context, context: RouteContext): Promise<void> {
  const { allowance } = await acceptRequest(ctx, TYPES, context); // 503, 429, 405, 401, 406, 400
  const { files } = context;
  if (files === undefined)
    throw new Problem('not_found', 'This service has no files: its operator sets ARCHIVE_FILES.');
  if (allowance.plan === 'sandbox')
    throw new Problem('not_found', 'Files are for keys of the plans starter and professional.');
  const { path } = ctx.params;
  const manifest = await files.manifest().catch(refuseUnfinished); // 503
  if (path === undefined) return sendList(ctx, manifest);
  const file = manifest.files.find((each) => each.path === path);
  if (file === undefined)
    throw new Problem('not_found', 'The snapshot has no such file: /v1/history/files/ lists its files.');
  const etag = `"${file.sha256}"`;
  ctx.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
  if (matchesEntityTag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.set('Content-Type', MEDIA_TYPES.parquet);
  await sendFile(ctx, files.folder, path); // 304, 206, 416
}

function refuseUnfinished(cause: unknown): never {
  if (!(cause instanceof NoSnapshotError)) throw cause;
  throw new Problem('storage_unavailable', 'The files are being written at the moment.', {
    headers: retryAfter(60_000),
    cause,
  });
}

function sendList(ctx: Context, manifest: Manifest): void {
  const { createdAt, firstDay, endDay, stations, reports, attribution } = manifest;
  const data = manifest.files.map(({ reports: content, ...file }) => ({
    ...file,
    year: content?.year,
    firstStation: content?.firstStation,
    lastStation: content?.lastStation,
  }));
  ctx.body = JSON.stringify({
    data,
    meta: { createdAt, from: firstDay, to: endDay, stations, reports, attribution },
  });
  ctx.set('Content-Type', 'application/json; charset=utf-8');
}

/** Sends the file, and resolves once the response is complete or the client has disconnected. */
async function sendFile(ctx: Context, root: string, path: string): Promise<void> {
  const { req, res } = ctx;
  closeIfSilent(ctx, { clientMs: CLIENT_TIMEOUT_MS });
  ctx.respond = false;
  // `ctx.status` would set a reason phrase, which stays for 206.
  res.statusCode = 200;
  const failure = await new Promise<{ readonly status: number } | undefined>((resolve) => {
    res.once('close', () => resolve(undefined));
    send(req, path, { root, etag: false, cacheControl: false }).on('error', resolve).pipe(res);
  });
  if (failure === undefined) return;
  // A part of a file must not look complete.
  if (res.headersSent) return void res.destroy();
  ctx.respond = true;
  if (failure.status !== 412 && failure.status !== 416)
    return refuseUnfinished(new NoSnapshotError(path, { cause: failure }));
  // `Content-Range` has the size of the file.
  ctx.body = null;
  ctx.status = failure.status;
}
