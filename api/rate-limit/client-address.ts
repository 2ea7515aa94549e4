import { BlockList, isIP, SocketAddress } from 'node:net';

/** The proxies whose `X-Forwarded-For` is trusted (`TRUSTED_PROXIES`). `undefined` if an entry is not an address. */
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

/** The last entry of `X-Forwarded-For` that is no trusted proxy itself; entries to the left of it can be forged. */
export function clientAddress(peer: string, forwardedFor: string | undefined, proxies: BlockList): string {
  const hops = (forwardedFor ?? '').split(',').map(withoutPort);
  let address = unmapped(peer);
  while (isTrusted(address, proxies)) {
    const previous = hops.pop();
    if (previous === undefined || familyOf(previous) === undefined) break;
    address = previous;
  }
  return address;
}

/** An IPv4 address, or the /64 of an IPv6 address, all of whose addresses one subscriber can use (RFC 6177). */
export function addressBucket(address: string): string {
  if (familyOf(address) !== 'ipv6') return address;
  const { address: canonical } = new SocketAddress({ address: address.replace(/%.*$/, ''), family: 'ipv6' });
  const [head = [], tail = []] = canonical.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}

export function isTrusted(address: string, proxies: BlockList): boolean {
  const family = familyOf(address);
  return family !== undefined && proxies.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)];
}

/** A socket for both families reports an IPv4 client as `::ffff:192.0.2.1`. */
function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  return unmapped(/^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text);
}
