import { InvalidResponseError, type SourceRequest } from '../sources/source.ts';
import { MAX_REDIRECTS } from './retry-policy.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Sends a request, following redirects within its host and to hosts that its source names. */
export async function followRedirects(
  request: SourceRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const start = new URL(request.url);
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetch(url, { headers, signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null) return response;
    await response.body?.cancel();
    url = redirectTarget(location, url);
    if (!isAllowed(url, start, request.redirectHosts ?? []))
      throw new InvalidResponseError(`redirected to another host, ${url.origin}`);
  }
  throw new InvalidResponseError(`redirected more than ${MAX_REDIRECTS} times`);
}

function redirectTarget(location: string, base: URL): URL {
  try {
    return new URL(location, base);
  } catch {
    throw new InvalidResponseError(`redirected to ${JSON.stringify(location.slice(0, 80))}, which is no URL`);
  }
}

/** The same origin, or the same or a named host over TLS. */
function isAllowed(target: URL, start: URL, hosts: readonly string[]): boolean {
  if (target.origin === start.origin) return true;
  if (target.protocol !== 'https:' || target.port !== '') return false;
  return target.hostname === start.hostname || hosts.includes(target.hostname);
}
