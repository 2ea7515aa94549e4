import { gunzipSync } from 'node:zlib';
import { type Body, InvalidResponseError } from './source.ts';

/** Lists of stations have a few MB. */
export const MAX_LIST_BYTES = 16_000_000;

/** Objects and arrays: a station is a few. Small ones take twenty times their text in memory. */
const MAX_VALUES = 300_000;

const [OPEN_BRACE, OPEN_BRACKET] = [0x7b, 0x5b];

/** Parses a list of stations, compressed with gzip or not; `undefined` if it is not JSON. */
export async function parseJson(body: Body): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const bytes = unzip(Buffer.concat(chunks));
  let values = 0;
  for (const byte of bytes) if (byte === OPEN_BRACE || byte === OPEN_BRACKET) values += 1;
  if (values > MAX_VALUES) throw new InvalidResponseError(`a list of more than ${MAX_VALUES} values`);
  try {
    // Unlike `toString`, it removes a byte order mark.
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** A server may send a file of gzip also as content encoding, which `fetch` has removed then. */
function unzip(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_LIST_BYTES });
  } catch (error) {
    throw new InvalidResponseError(`a damaged file of gzip: ${(error as Error).message}`);
  }
}
