import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { startApi, startApiWithoutArchive, useApi } from '../../../support/api/api.ts';
import { axeFindings } from '../../../support/api/axe.ts';
import { openContext, untilServed } from '../../../support/api/explorer.ts';
import { describeStations, insert, put, report, useArchive } from '../../../support/archive/archive.ts';

describe('the page as the service sends it, without scripts', () => {
  const archive = useArchive();
  before(async () => {
    await insert(archive.client, put(report({ station: 'XAAB', at: '2024-01-10T12:00:00Z' })));
    await describeStations(archive.client, [
      {
        source: 'iem',
        station: 'XAAB',
        name: 'A "B" <i>&',
        country: 'NO',
        position: { latitude: 60.5, longitude: -5.25 },
      },
      { source: 'iem', station: 'XAAC', name: 'Without reports', country: 'NO' },
    ]);
  });
  const api = useApi(async () => {
    const service = await startApi(archive.client);
    await untilServed(service, '/?station=XAAB', 'Norway');
    return service;
  });

  const get = (path: string, headers = {}) => api.get(path, { key: null, headers });
  const read = async (path: string) => (await get(path)).text();
  const meta = (html: string, name: string) =>
    new RegExp(`(?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];

  it('has a title, a description and a picture of the linked station, at the address of the reader', async () => {
    const html = await read('/?station=xaab&day=2024-01-10');
    const title = 'XAAB A &quot;B&quot; &lt;i&gt;&amp; – 2024-01-10 – Historical observations';
    assert.ok(html.includes(`<title>${title}</title>`));
    assert.equal(meta(html, 'og:title'), title);
    const description = meta(html, 'og:description') ?? '';
    assert.match(
      description,
      /^METAR and SPECI reports of XAAB \(.*, Norway, 60\.50° N 5\.25° W\).* 2024-01-10 12:00 UTC$/,
    );
    assert.equal(meta(html, 'description'), description);
    assert.equal(meta(html, 'og:url'), `${api.url}/?station=XAAB`);
    const picture = await fetch(meta(html, 'og:image') ?? '');
    assert.equal(picture.headers.get('content-type'), 'image/png');
    const bytes = Buffer.from(await picture.arrayBuffer());
    const size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)].map(String);
    assert.deepEqual(size, [meta(html, 'og:image:width'), meta(html, 'og:image:height')]);
    assert.match(
      await read('/?station=XAAC'),
      /content="METAR and SPECI reports of XAAC \(Without reports, Norway\): no report yet\."/,
    );
    // Of what the archive does not know, nothing is said but its code.
    assert.match(await read('/?station=ZZZZ'), /<title>ZZZZ – Historical observations<\/title>/);
    assert.match(await read('/'), /<title>Historical observations<\/title>/);
  });

  it('has its frame inside, also for a reader without JavaScript', async () => {
    const html = await read('/?station=XAAB');
    assert.match(html, /<h1>XAAB A &quot;B&quot; &lt;i&gt;&amp;<\/h1><p class="facts"><span>Norway<\/span>/);
    assert.match(html, /<noscript>.*href="\/docs\/first-request"/);
  });

  it('is a page for a browser, too, where the path does not exist: with an icon, and accessible on a phone', async () => {
    const context = await openContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const failed: string[] = [];
    page.on('requestfinished', async (request) => {
      const response = await request.response();
      if (response?.ok() === false) failed.push(request.url());
    });
    await page.goto(`${api.url}/nowhere`);
    await page.getByRole('link', { name: 'station' }).waitFor();
    const icon = await page.locator('link[rel=icon]').getAttribute('href');
    assert.equal((await get(icon ?? '')).status, 200);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(failed, [`${api.url}/nowhere`]);
    await context.close();
  });

  it('allows inline scripts and styles by their hashes', async () => {
    const response = await get('/?station=XAAB');
    const html = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    const inside = [...html.matchAll(/<(script|style)[^>]*>([\s\S]*?)<\/\1>/g)].flatMap(
      ([, , text]) => text || [],
    );
    assert.equal(inside.length, 3);
    for (const text of inside) assert.ok(policy.includes(`'sha256-${hash('sha256', text, 'base64')}'`));
    assert.doesNotMatch(policy, /unsafe|https?:/);
    assert.doesNotMatch(html, / style="| on\w+="/);
    assert.equal(response.headers.get('cache-control'), 'public, no-cache');
    // Each view has an entity tag of its own.
    const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
    assert.equal((await get('/', headers)).status, 200);
  });

  it('is sent while the storage does not respond', async () => {
    const service = await startApiWithoutArchive();
    const response = await service.get('/?station=XAAB', { key: null });
    assert.equal(response.status, 200);
    assert.match(await response.text(), /<title>XAAB – Historical observations<\/title>/);
    await service.stop();
  });
});
