import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

type LockedPackage = {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
};

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { readonly packages: Readonly<Record<string, LockedPackage>> };
/** The registry at hand had no answer for these. Whoever can ask for them writes the hashes in and removes the rows. */
const WITHOUT_HASH = ['@chdb/lib-darwin-arm64', '@chdb/lib-darwin-x64', '@chdb/lib-linux-arm64-gnu'].map(
  (name) => `node_modules/${name}`,
);

/** All but the project itself, whose path is empty. */
const locked = Object.entries(packages).filter(([path]) => path !== '');

/**
 * npm fills in only what it downloads, so a lock file that was updated on one machine lacks the hashes of the packages
 * for other platforms, and `npm ci` there would install whatever the registry sends.
 */
describe('package-lock.json', () => {
  it('has the SHA-512 of every package but three, those for other platforms included', () => {
    assert.ok(locked.length > 300);
    // 64 bytes in base64.
    const isHash = ({ integrity = '' }: LockedPackage) => /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
    assert.deepEqual(
      locked.filter(([, entry]) => !isHash(entry)).map(([path]) => path),
      WITHOUT_HASH,
      'write into each entry what `npm view NAME@VERSION dist.integrity` prints',
    );
  });

  it('names no registry, so that each machine installs from its own', () =>
    assert.deepEqual(
      locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    ));
});
