import { BlockList, isIP, SocketAddress } from 'node:net';

/** Addresses whose `X-Forwarded-For` is believed, from `TRUSTED_PROXIES`. `undefined` when an entry is no address. */
export function parseTrustedProxies(text: string): BlockList | undefined {
  const proxies = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [address = '', bits, ...more] = entry.split('/');
    const family = familyOf(address);
    if (family === undefined || more.length > 0) return undefined;
    if (bits === undefined) proxies.addAddress(address, family);
    else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv4' ? 32 : 128))
      proxies.addSubnet(address, Number(bits), family);
    else return undefined;
  }
  return proxies;
}

/**
 * The client's address: that of the connection, or, where that is a trusted proxy, the last entry of
 * `X-Forwarded-For` that no trusted proxy wrote about itself. Each proxy appends whom it saw, so only the entries
 * to the right of the first stranger can be believed.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, proxies: BlockList): string {
  const hops = (forwardedFor ?? '').split(',').map(withoutPort);
  let address = unmapped(peer);
  while (isTrusted(address, proxies)) {
    const before = hops.pop();
    if (before === undefined || familyOf(before) === undefined) break;
    address = before;
  }
  return address;
}

/**
 * What counts as one client: an IPv4 address, or the /64 of an IPv6 address. A /64 is the smallest network that is
 * handed to one subscriber (RFC 6177), who may use any of its 2^64 addresses.
 */
export function addressBucket(address: string): string {
  if (familyOf(address) !== 'ipv6') return address;
  const { address: canonical } = new SocketAddress({ address: address.replace(/%.*$/, ''), family: 'ipv6' });
  const [head = '', tail = ''] = canonical.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = canonical.includes('::') ? 8 - groups.length - tail.split(':').filter(Boolean).length : 0;
  const all = [...groups, ...Array<string>(missing).fill('0'), ...tail.split(':').filter(Boolean)];
  return `${all.slice(0, 4).join(':')}::/64`;
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const family = familyOf(address);
  return family !== undefined && proxies.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)];
}

/** `::ffff:192.0.2.1`, as a socket that serves both families names an IPv4 client. */
function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  return unmapped(/^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text);
}
