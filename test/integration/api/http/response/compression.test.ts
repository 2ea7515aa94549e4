import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { ENCODINGS } from '../../../../../api/http/http-request.ts';
import { OBSERVATIONS, QUERY, startApiWithReports, type TestApi } from '../../../../support/api/api.ts';
import { report } from '../../../../support/archive/archive.ts';

type Page = {
  readonly data: readonly unknown[];
  readonly meta: { readonly coverage: unknown; readonly rateLimit: { readonly remaining: number } };
};

describe('compressed pages', () => {
  let api: TestApi;
  before(async () => {
    const at = (hour: number) => new Date(Date.UTC(2024, 0, 1, hour)).toISOString();
    api = await startApiWithReports(Array.from({ length: 200 }, (_, hour) => report({ at: at(hour) })));
  });
  after(() => api.stop());

  for (const encoding of ENCODINGS)
    it(`are the same body in ${encoding}, from the archive and from memory, for other clients too`, async () => {
      const key = await api.createKey();
      const read = async (accept: string) => {
        const response = await api.get(`${OBSERVATIONS}?${QUERY}`, {
          key,
          headers: { 'accept-encoding': accept },
        });
        assert.equal(response.headers.get('content-encoding') ?? 'identity', accept);
        return { etag: response.headers.get('etag'), body: (await response.json()) as Page };
      };
      const [plain, first, second] = [await read('identity'), await read(encoding), await read(encoding)];
      assert.equal(first.body.data.length, 200);
      assert.deepEqual(first.body.data, plain.body.data);
      assert.deepEqual(second.body.data, plain.body.data);
      assert.deepEqual(first.body.meta.coverage, plain.body.meta.coverage);
      assert.equal(first.etag, plain.etag);
      // The end of the body is that of each response.
      const remaining = [plain, first, second].map(({ body }) => body.meta.rateLimit.remaining);
      assert.equal(new Set(remaining).size, 3, `${remaining}`);
      const { stdout } = await promisify(execFile)('curl', [
        ...['-s', '--compressed', '-H', `Accept-Encoding: ${encoding}`, '-H', `Authorization: Bearer ${key}`],
        `${api.url}${OBSERVATIONS}?${QUERY}`,
      ]);
      assert.deepEqual(JSON.parse(stdout).data, plain.body.data);
    });
});
