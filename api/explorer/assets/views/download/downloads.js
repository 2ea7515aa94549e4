import { element } from '../../element.js';

/** Records of one request at most, where a request cannot have the whole range (D33). */
const PART = 10_000;

/** The formats whose parts can be joined into one file. */
const JOINED = new Set(['csv', 'ndjson']);

/**
 * Downloads the reports of a request in one of the formats. The key is in a header, so the browser cannot follow a link:
 * the file is made of what `fetch` returns.
 *
 * @param {import('../../requests/api-client.js').ApiClient} client
 * @param {import('../../state/observation-request.js').ObservationRequest} request
 * @param {string} format json, ndjson, csv, parquet or arrow
 * @param {string} plan
 * @param {AbortSignal} signal
 * @param {(bytes: number) => void} onProgress receives how much has arrived
 * @returns {Promise<number>} how many files were saved
 */
export async function download(client, request, format, plan, signal, onProgress) {
  const limit = format === 'json' || plan === 'sandbox' ? PART : undefined;
  const name = `${request.stations}-${request.from.slice(0, 10)}-${request.to.slice(0, 10)}`;
  let arrived = 0;
  /** @type {Blob[]} */
  const parts = [];
  for (let cursor = undefined, hasMore = true; hasMore; ) {
    const parameters = { ...request, limit, cursor };
    const response = await client.send(`/v1/history/observations.${format}`, parameters, signal);
    const part = await readBlob(response, (bytes) => {
      arrived += bytes;
      onProgress(arrived);
    });
    parts.push(format === 'csv' && parts.length > 0 ? await withoutHeader(part) : part);
    ({ hasMore, cursor } = format === 'json' ? pagingOf(await part.text()) : nextOf(response));
  }
  const files = JOINED.has(format) ? [new Blob(parts)] : parts;
  for (const [at, file] of files.entries())
    save(file, `${name}${files.length > 1 ? `-part${at + 1}` : ''}.${format}`);
  return files.length;
}

/**
 * @param {Response} response
 * @param {(bytes: number) => void} onBytes
 */
function readBlob({ body }, onBytes) {
  /** @type {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
  const counted = new TransformStream({
    transform(chunk, controller) {
      onBytes(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(counted)).blob();
}

/** @param {string} page */
function pagingOf(page) {
  /** @type {{ meta: { hasMore: boolean, nextCursor?: string } }} */
  const { meta } = JSON.parse(page);
  return { hasMore: meta.hasMore, cursor: meta.nextCursor };
}

/** @param {Response} response */
function nextOf({ headers }) {
  return { hasMore: headers.get('X-Has-More') === 'true', cursor: headers.get('X-Next-Cursor') ?? undefined };
}

/** @param {Blob} csv */
async function withoutHeader(csv) {
  // The header row is ASCII and has no line break in a value.
  const start = await csv.slice(0, 65_536).text();
  return csv.slice(start.indexOf('\n') + 1);
}

/**
 * @param {Blob} file
 * @param {string} name
 */
export function save(file, name) {
  const href = URL.createObjectURL(file);
  const link = element('a', { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has opened the file when the click returns; a minute is for those that are slow.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
