import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { recordObservedHours } from '../../../../clickhouse/coverage/ledger/ledger.ts';
import { yearWindow } from '../../../../clickhouse/model/time-window.ts';
import { hasLoaders } from '../../../../clickhouse/observations/writers.ts';
import { DECODER_VERSION, decodeAll } from '../../../../loader/decode.ts';
import { importSnapshot } from '../../../../loader/snapshot/import.ts';
import { openSnapshot } from '../../../../loader/snapshot/snapshot-folder.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import {
  describeStations,
  emptyArchive,
  insert,
  NO_LIMIT,
  put,
  readAllReports,
  report,
  retract,
  useArchive,
} from '../../../support/archive/archive.ts';
import { day, list, listAt, recordDone } from '../../../support/archive/ledger.ts';
import { listenOnFreePort } from '../../../support/listen.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { assertSameArchive, describeArchive } from '../../../support/snapshot/described-archive.ts';
import { exportTo, NEVER, NO_PROGRESS } from '../../../support/snapshot/snapshot.ts';
import { newFolder } from '../../../support/test-run.ts';

const RUN = '2024-05-01T00:00:00.000Z-00000001';
const ONE_REPORT = { run: RUN, reports: 1, reportsByDay: [1] };
/** XAAE has one report, which is NIL. */
const STATIONS = ['XAAA', 'XAAB', 'XAAC', 'XAAD', 'XAAE'];

/** A report as this decoder has read it. */
function decoded(at: string, about: Parameters<typeof report>[0] | object = {}) {
  const made = report({ at, ...about });
  const { fields, unexplained } = decodeAll(made.raw);
  const clean = unexplained.length === 0;
  return { ...made, decoder: DECODER_VERSION, decoded: fields, clean } as const;
}

const raw = (time: string, rest: string, station = 'XAAC') => `${station} ${time}Z ${rest}`;

describe('import of a snapshot (D50)', () => {
  const source = useArchive();
  const folder = newFolder();
  const at = (name: string) => join(folder, name);

  async function importFrom(client: Archive, path: string) {
    return importSnapshot(
      { archive: client, progress: NO_PROGRESS, stop: NEVER },
      await openSnapshot(path, NO_LIMIT),
    );
  }
  async function inNewArchive<T>(work: (client: Archive) => Promise<T>): Promise<T> {
    const archive = await emptyArchive();
    try {
      return await work(archive.client);
    } finally {
      await archive.close();
    }
  }
  const countRows = async (client: Archive) => {
    const tables = ['observations', 'slices', 'stations', 'station_descriptions'];
    const counts = tables.map((table) => `(SELECT count() FROM ${table})`).join();
    return (await client.select({ query: `SELECT ${counts} FORMAT TSV` })).toString();
  };

  before(async () => {
    const { client } = source;
    await loadWith(client, demo(), '--source demo --stations XAAA,XAAB --from 2023-12-30 --to 2024-01-08');
    const special = decoded('2024-03-05T01:07:00Z', { station: 'XAAC' });
    const nil = decoded('2022-07-01T00:00:00Z', { station: 'XAAE', raw: raw('010000', 'NIL', 'XAAE') });
    const both = decoded('2024-03-05T00:00:00Z', { station: 'XAAC' });
    await insert(
      client,
      put(both),
      put({ ...both, source: 'ogimet', raw: `METAR ${both.raw}` }),
      put(special),
      retract(special, 2 ** 28),
      put({ ...special, type: 'SPECI' }, 2 ** 28),
      ...[
        'NIL',
        '18004KT 9999 GARBAGE 12/07 Q1013',
        '18004KT 1 1/2SM R04/P6000FT/U BKN004CB M00/M01 A2992 RMK AO2 SLP132 T00061011 PK WND 28045/0155',
        'COR 18004KT CAVOK 12/07 Q1013 $',
        '18004KT CAVOK 12/07 Q1013 RMK PLUIE À L’OUEST',
        // Minus zero, which is kept apart from zero (D62).
        '18004KT CAVOK M00/M01 Q1013',
      ].map((rest, hour) =>
        put(decoded(`2024-03-06T0${hour}:00:00Z`, { station: 'XAAC', raw: raw(`060${hour}00`, rest) })),
      ),
      put(decoded('2024-03-06T05:30:00Z', { station: 'XAAC', raw: 'XAAC 18004KT CAVOK 12/07 Q1013' })),
      put(decoded('2025-02-28T00:00:00Z', { station: 'XAAD', source: 'awc' })),
      put(nil),
    );
    await list(
      client,
      { station: 'XAAC', firstDay: day('2020-01-01') },
      { station: 'XAAC', source: 'ogimet' },
      { station: 'XAAD' },
    );
    await describeStations(client, [
      {
        source: 'iem',
        station: 'XAAC',
        name: 'Söder',
        country: 'SE',
        position: { latitude: 60.5, longitude: -0.25 },
        elevation_m: 3.5,
      },
    ]);
    await recordDone(client, '2024-03-05', '2024-03-07', {
      station: 'XAAC',
      run: RUN,
      reports: 9,
      reportsByDay: [2, 7],
      skipped: { 'empty text': 2 },
    });
    await recordDone(client, '2025-02-28', '2025-03-01', { station: '*', ...ONE_REPORT });
    await recordObservedHours(client, 'ncei', [{ station: 'XAAC', observedAt: 1_709_687_460 }]);
    await exportTo(client, at('all'));
  });

  it('gives an archive whose pages, streams, coverage, stations, status and gaps are the same, byte for byte', () =>
    inNewArchive(async (client) => {
      const result = await importFrom(client, at('all'));
      assert.equal(result.inserted, result.reports);
      const expected = await assertSameArchive(client, source.client, STATIONS);
      assert.ok(Object.keys(expected).length > 6, 'the archive has several pages');
      assert.match(expected.coverage ?? '', /"sources":\["iem","ncei","ogimet"\]/);
    }));

  it('adds nothing when it is repeated, and resumes where it was stopped', () =>
    inNewArchive(async (client) => {
      const stopped = new AbortController();
      stopped.abort();
      const snapshot = await openSnapshot(at('all'), NO_LIMIT);
      const stop = { ...NEVER, afterSlice: stopped.signal };
      assert.equal(
        (await importSnapshot({ archive: client, progress: NO_PROGRESS, stop: stop }, snapshot)).kind,
        'stopped',
      );
      await importFrom(client, at('all'));
      const rows = await countRows(client);
      assert.equal((await importFrom(client, at('all'))).inserted, 0);
      assert.equal(await countRows(client), rows);
    }));

  it('gives the same archive from snapshots that overlap, in either order (D4)', async () => {
    const other = await emptyArchive();
    const better = decoded('2024-03-05T01:07:00Z', { station: 'XAAC', source: 'ogimet' });
    const longer = `${raw('060100', '18004KT 9999 GARBAGE 12/07 Q1013')} $`;
    // As IEM sends it (D69).
    const ascii = raw('060400', '18004KT CAVOK 12/07 Q1013 RMK PLUIE LOUEST');
    await insert(
      other.client,
      put({ ...better, raw: `SPECI ${better.raw}`, type: 'SPECI' }),
      put({ ...decoded('2024-03-05T00:00:00Z', { station: 'XAAC' }), type: 'SPECI' }),
      put(decoded('2024-03-06T01:00:00Z', { station: 'XAAC', raw: longer })),
      put(decoded('2024-03-06T04:00:00Z', { station: 'XAAC', raw: ascii })),
      put(decoded('2024-03-07T01:00:00Z', { station: 'XAAC' })),
      put(decoded('2023-12-31T05:00:00Z', { station: 'XAAD' })),
    );
    await list(other.client, { station: 'XAAC', source: 'ogimet', firstDay: day('2021-01-01') });
    await listAt(other.client, '2024-01-01', {
      station: 'XAAD',
      firstDay: day('2021-01-01'),
      lastDay: day('2025-01-01'),
    });
    await recordDone(other.client, '2024-03-07', '2024-03-08', { station: 'XAAC', ...ONE_REPORT });
    await exportTo(other.client, at('other'));
    await other.close();
    const merged = (first: string, second: string) =>
      inNewArchive(async (client) => {
        await importFrom(client, at(first));
        await importFrom(client, at(second));
        const reports = (await readAllReports(client))
          .map(({ version, ...row }) => JSON.stringify(row))
          .sort();
        return { ...(await describeArchive(client, STATIONS)), reports };
      });
    const [one, two] = [await merged('all', 'other'), await merged('other', 'all')];
    assert.deepEqual(two, one);
    assert.match(one.reports.join('\n'), /"SPECI XAAC 050107Z .*"source":"ogimet"/);
    assert.ok(one.reports.some((line) => line.includes('GARBAGE 12/07 Q1013 $')));
    assert.deepEqual(
      one.reports.flatMap((line) => /PLUIE.*OUEST/.exec(line)?.[0] ?? []),
      ['PLUIE À L’OUEST'],
    );
  });

  it('makes removals refuse, as a loader does, until its ledger is written, which claims what they would remove', () =>
    inNewArchive(async (client) => {
      await exportTo(source.client, at('removals'));
      const seen: boolean[] = [];
      const watched: Archive = {
        ...client,
        async insertFile(statement, ...args) {
          if (statement.query.includes('INSERT INTO slices'))
            seen.push(await hasLoaders(client, yearWindow(2024), Date.now() / 1000 + 60));
          return client.insertFile(statement, ...args);
        },
      };
      // The second time the archive has all reports.
      for (let n = 0; n < 2; n += 1) {
        await importFrom(watched, at('removals'));
        seen.push(await hasLoaders(client, yearWindow(2024), Date.now() / 1000 + 60));
      }
      assert.deepEqual(seen, [true, false, true, false]);
    }));

  it('reads a snapshot from a web server', async () => {
    const server = createServer((request, response) => {
      createReadStream(join(at('all'), request.url?.replace('/copy/', '') ?? ''))
        .on('error', () => response.writeHead(404).end())
        .pipe(response);
    });
    const url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
    try {
      await inNewArchive(async (client) => {
        const result = await importFrom(client, `${url}/copy`);
        assert.equal(result.inserted, result.reports);
      });
      await assert.rejects(
        openSnapshot(`${url}/none`, NO_LIMIT),
        /cannot be read: .*404.*: run the same command to resume/,
      );
    } finally {
      server.close();
    }
  });
});
