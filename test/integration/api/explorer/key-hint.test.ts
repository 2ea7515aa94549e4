import assert from 'node:assert/strict';
import { readConfig } from '../../../../api/config.ts';
import { startApiWithoutArchive } from '../../../support/api/api.ts';

describe('the form for a key', () => {
  /** What the page says about where to get a key. */
  async function hint(CONTACT: string, demo = false): Promise<string> {
    const api = await startApiWithoutArchive({ contact: readConfig({ CONTACT }).contact, demo });
    const page = await (await api.get('/', { key: null })).text();
    await api.stop();
    return /<template id="key-hint">(.*)<\/template>/.exec(page)?.[1] ?? assert.fail(page);
  }

  it('tells a visitor whom to ask for one: by mail, or by a page', async () => {
    assert.equal(
      await hint('weather+keys@example.org'),
      'The operator of this service gives you a key: <a href="mailto:weather+keys@example.org">weather+keys@example.org</a>.',
    );
    assert.equal(
      await hint('https://example.org/keys?a=$&&b=1'),
      'The operator of this service gives you a key: <a href="https://example.org/keys?a=$&amp;&amp;b=1">https://example.org/keys?a=$&amp;&amp;b=1</a>.',
    );
  });

  it('names the operator without a contact, and the demo key on a machine of the demo', async () => {
    assert.equal(await hint(''), 'The operator of this service gives you a key.');
    assert.match(await hint('', true), /^While the archive holds nothing but demo reports, .*npm start/);
    // A visitor of an archive that was begun with the demo has no machine of it.
    assert.match(
      await hint('a@example.org', true),
      /^The operator .*a@example\.org<\/a>\. While .*npm start/,
    );
  });

  it('has a contact that a browser can open, and no other text', () => {
    for (const CONTACT of ['me', '"><script>@x', 'javascript:alert(1)', 'https://', 'mailto:a@example.org'])
      assert.throws(() => readConfig({ CONTACT }), {
        message: 'CONTACT must be a mail address like me@example.org, or a URL with https: or http:',
      });
  });
});
