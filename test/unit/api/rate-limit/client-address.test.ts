import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import {
  addressBucket,
  clientAddress,
  parseTrustedProxies,
} from '../../../../api/rate-limit/client-address.ts';

const trusting = (text: string) => parseTrustedProxies(text) ?? assert.fail(`${text} was refused`);

describe('client address (D29)', () => {
  it('is the peer of the connection while no proxy is trusted', () => {
    assert.equal(clientAddress('192.0.2.1', '198.51.100.7', new BlockList()), '192.0.2.1');
    assert.equal(clientAddress('::ffff:192.0.2.1', undefined, new BlockList()), '192.0.2.1');
  });

  it('is the last entry of X-Forwarded-For that is not a trusted proxy', () => {
    const proxies = trusting('10.0.0.0/8, 2001:db8::/32');
    assert.equal(clientAddress('10.0.0.1', '203.0.113.9, 198.51.100.7', proxies), '198.51.100.7');
    assert.equal(
      clientAddress('::ffff:10.0.0.1', '203.0.113.9, 198.51.100.7, 10.2.3.4', proxies),
      '198.51.100.7',
    );
    assert.equal(clientAddress('2001:db8::1', '198.51.100.7:4711', proxies), '198.51.100.7');
    assert.equal(clientAddress('10.0.0.1', '[2001:dead::5]:80', proxies), '2001:dead::5');
    assert.equal(clientAddress('198.51.100.7', '203.0.113.9', proxies), '198.51.100.7');
  });

  it('is the proxy itself when X-Forwarded-For is absent or not an address', () => {
    const proxies = trusting('10.0.0.1');
    for (const header of [undefined, '', 'unknown', '203.0.113.9, nonsense', ','])
      assert.equal(clientAddress('10.0.0.1', header, proxies), '10.0.0.1');
  });

  it('has a bucket for each IPv4 address and each IPv6 /64', () => {
    assert.equal(addressBucket('192.0.2.1'), '192.0.2.1');
    for (const address of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2:0:0:0:1'])
      assert.equal(addressBucket(address), '2001:db8:1:2::/64');
    assert.notEqual(addressBucket('2001:db8:1:3::1'), addressBucket('2001:db8:1:2::1'));
    assert.equal(addressBucket('::1'), '0:0:0:0::/64');
    assert.equal(addressBucket('2001:db8::1'), '2001:db8:0:0::/64');
    assert.equal(addressBucket('fe80::1%eth0'), 'fe80:0:0:0::/64');
  });

  it('is not computed with proxies that are not addresses', () => {
    for (const text of [
      'localhost',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.1,,10.0.0.2',
      '::/129',
      '10.0.0.0/-1',
    ])
      assert.equal(parseTrustedProxies(text), undefined, text);
  });
});
