import { finished, pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import type { SnapshotFile } from '../../clickhouse/snapshot/manifest.ts';
import { entityTagOf } from '../answers/envelope.ts';
import { sendJson } from '../answers/send-json.ts';
import type { RouteContext } from '../compose.ts';
import { MEDIA_TYPES } from '../contract/endpoint.ts';
import { acceptRequest } from '../http/accept-request.ts';
import { matchesEntityTag } from '../http/http-request.ts';
import { CLIENT_TIMEOUT_MS, closeIfSilent } from '../http/slow-clients.ts';
import type { QueuedRequest } from '../ops/request-queue.ts';
import { invalidParameters, Problem, retryAfter } from '../problem.ts';
import { type ByteRange, parseRange } from './byte-range.ts';
import { NoSnapshotError, type Snapshot, type SnapshotFiles } from './snapshot-files.ts';

const MEDIA_TYPES_OF_FILES = { json: MEDIA_TYPES.json, parquet: MEDIA_TYPES.parquet } as const;

/** Sends the list, a file of it, or a range of bytes of a file. Requests are counted, but wait for no query and no stream. */
export async function answerFiles(ctx: Context, context: RouteContext): Promise<void> {
  const { allowance, client } = await acceptRequest(ctx, MEDIA_TYPES_OF_FILES, context); // 503, 429, 405, 401, 406, 400
  const { files } = context;
  if (files === undefined)
    throw new Problem('not_found', 'This service has no files: its operator sets ARCHIVE_FILES.');
  if (allowance.plan === 'sandbox')
    throw new Problem(
      'forbidden',
      'Files are for keys of the plans starter and professional, and this key has the plan sandbox.',
    );
  requireNoParameters(ctx.querystring); // 400
  const { path } = ctx.params;
  const snapshot = await files.current().catch(refuseUnfinished); // 503
  if (path === undefined) {
    const { list } = snapshot;
    const envelope = { mediaType: MEDIA_TYPES.json, etag: entityTagOf(list.digest), parts: [list.text] };
    return sendJson(ctx, envelope, undefined, client); // 503 overloaded
  }
  const file = snapshot.manifest.files.find((each) => each.path === path);
  if (file === undefined)
    throw new Problem('not_found', 'The snapshot has no such file: /v1/history/files/ lists its files.');
  await answerFile(ctx, { files, snapshot, file, client }); // 503, 304, 206, 416
}

function requireNoParameters(querystring: string): void {
  const names = [...new Set(new URLSearchParams(querystring).keys())];
  const detail = 'is unknown: files take no parameters';
  if (names.length > 0) throw invalidParameters(names.map((name) => ({ name, detail })));
}

function refuseUnfinished(cause: unknown): never {
  if (!(cause instanceof NoSnapshotError)) throw cause;
  throw new Problem('storage_unavailable', 'The files are being written at the moment.', {
    headers: retryAfter(60_000),
    cause,
  });
}

type FileRequest = {
  readonly files: SnapshotFiles;
  readonly snapshot: Snapshot;
  readonly file: SnapshotFile;
  readonly client: QueuedRequest;
};

async function answerFile(ctx: Context, request: FileRequest): Promise<void> {
  const { file, client } = request;
  const { bytes, sha256 } = file;
  const etag = `"${sha256}"`;
  // If the file has changed since the client's first range, the whole file is sent (RFC 9110, 13.1.5).
  const isSame = ['', etag].includes(ctx.get('If-Range'));
  const range = ctx.method === 'GET' && isSame ? parseRange(ctx.get('Range'), bytes) : undefined;
  const about = { ETag: etag, 'Cache-Control': 'private, no-cache', 'Accept-Ranges': 'bytes' };
  if (matchesEntityTag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    ctx.set(about);
  } else if (range === 'unsatisfiable') {
    ctx.body = null;
    ctx.status = 416;
    ctx.set({ ...about, 'Content-Range': `bytes */${bytes}` });
  } else {
    // A file is opened only after its request has a place in the queue.
    if (ctx.method === 'GET') await client.enter('download', 0); // 503 overloaded
    try {
      await sendFile(ctx, request, range, about);
    } finally {
      if (ctx.method === 'GET') client.leave('download');
    }
  }
}

async function sendFile(
  ctx: Context,
  { files, snapshot, file }: FileRequest,
  range: ByteRange | undefined,
  about: Readonly<Record<string, string>>,
): Promise<void> {
  const { bytes, path } = file;
  const handle = await files.open(snapshot, file).catch(refuseUnfinished); // 503
  const { res } = ctx;
  try {
    if (res.closed || ctx.req.socket.destroyed) return;
    ctx.status = range === undefined ? 200 : 206;
    ctx.set({ ...about, 'Content-Disposition': `attachment; filename="${path.replaceAll('/', '-')}"` });
    ctx.set('Content-Type', MEDIA_TYPES.parquet);
    ctx.length = range === undefined ? bytes : range.end - range.start + 1;
    if (range !== undefined) ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
    if (ctx.method === 'HEAD') return;
    closeIfSilent(ctx, { clientMs: CLIENT_TIMEOUT_MS });
    ctx.respond = false;
    const stream = handle.createReadStream({ ...range, autoClose: false });
    await pipeline(stream, res, { end: false });
    // If the file became shorter, the connection is closed, because a part must not look complete.
    if (stream.bytesRead < ctx.length) return void res.destroy();
    res.end();
    await finished(res);
  } catch (error) {
    if (!res.headersSent) throw error;
    // The client has disconnected, or the file cannot be read: the pipeline has closed the connection.
  } finally {
    await handle.close();
  }
}
