import assert from 'node:assert/strict';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readKnownStations } from '../../../../clickhouse/stations.ts';
import { readAllReports, useArchive } from '../../../support/archive/archive.ts';
import { startLoader } from '../../../support/process.ts';
import { serve } from '../../../support/sources/replay-server.ts';
import { newFolder } from '../../../support/test-run.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The file of a source that sends `station time report` a line. */
const ADAPTER = `
import type { Day } from '../../clickhouse/model/day.ts';
import type { RowFormat } from './format.ts';
import { parseRows } from './parse-rows.ts';
import type { RemoteSource } from './source.ts';

const FORMAT: RowFormat = {
  name: 'rows of the lighthouse',
  open: (header) => {
    if (header !== 'LIGHTHOUSE') return undefined;
    return (line) => {
      const [station = '', time = '', text = ''] = line.split('|');
      if (text.includes('FOG')) return { station, filedAt: Date.parse(time) / 1000, reason: 'seen through fog' };
      return { station, filedAt: Date.parse(time) / 1000, text, type: 'SPECI' };
    };
  },
};
export function lighthouse(host = 'https://lighthouse.example'): RemoteSource {
  return {
    kind: 'remote', host, source: 'lighthouse', publisher: 'The lighthouse', rank: 7, sendsTypes: true, fileFormats: () => [FORMAT],
    rateLimit: { intervalSeconds: 0, parallel: 1 }, givesAllStations: false, endDay: '2030-01-01' as Day, maxRows: 1000,
    descriptionRanks: { rank: 7, elevationRank: 7 },
    requests: ({ station, firstDay }) => [{ url: \`\${host}/\${station}/\${firstDay}\`, maxBytes: 10_000 }],
    parse: (body, slice, maxRows) => parseRows(body, slice, FORMAT, maxRows),
    stationList: {
      request: { url: \`\${host}/stations\`, maxBytes: 10_000 },
      parse: async () => ({
        listings: [{ source: 'lighthouse', station: 'XLAA' }],
        descriptions: [{ source: 'lighthouse', station: 'XLAA', name: 'Lighthouse' }],
      }),
    },
  };
}
`;

describe('a new source', () => {
  const archive = useArchive();

  it('is a file and its name in the table of sources: then it loads, types, describes and completes its days', async () => {
    const folder = newFolder();
    for (const name of ['loader', 'clickhouse', 'package.json', 'tsconfig.json'])
      await cp(join(ROOT, name), join(folder, name), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'loader/sources/lighthouse.ts'), ADAPTER);
    const table = join(folder, 'loader/sources/registry.ts');
    const code = await readFile(table, 'utf8');
    const added = code.replace('  demo,\n}', '  demo,\n  lighthouse,\n}');
    assert.notEqual(added, code);
    await writeFile(table, `import { lighthouse } from './lighthouse.ts';\n${added}`);

    const server = await serve([], ({ url, response }) => {
      const rows = [
        'LIGHTHOUSE',
        'XLAA|2024-01-01T00:50:00Z|XLAA 010050Z 18004KT',
        'XLAA|2024-01-01T01:50:00Z|FOG',
      ];
      response.end(url.pathname === '/stations' ? '' : `${rows.join('\n')}\n`);
    });
    const env = {
      CLICKHOUSE_URL: archive.url,
      CLICKHOUSE_DATABASE: archive.database,
      LIGHTHOUSE_URL: server.url,
    };
    const args = '--source lighthouse --stations XLAA --from 2024-01-01 --to 2024-01-03';
    const { code: exit, out } = await startLoader(args, env, folder).finished;
    await server.close();
    assert.equal(exit, 0, out);
    assert.match(out, /1 row skipped: seen through fog/);
    const reports = await readAllReports(archive.client, 'XLAA');
    assert.deepEqual(
      reports.map(({ source, type, raw, version }) => [source, type, raw, version >>> 24]),
      [['lighthouse', 'SPECI', 'XLAA 010050Z 18004KT', 7]],
    );
    const [station] = await readKnownStations(archive.client, {}, undefined, 1);
    assert.equal(station?.name, 'Lighthouse');
  });
});
