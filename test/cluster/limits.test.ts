import assert from 'node:assert/strict';
import { openConnections } from '../../api/connections.ts';
import { openLog } from '../../api/ops/log.ts';
import type { Archive } from '../../clickhouse/archive.ts';
import { openArchive, readInsertSettings } from '../../clickhouse/client.ts';
import { readCoverageStates } from '../../clickhouse/coverage/state.ts';
import { storageFailure } from '../../clickhouse/errors.ts';
import { REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { insertRevisions } from '../../clickhouse/observations/insert.ts';
import { CutRangeError, fixRange } from '../../clickhouse/observations/stream/stream-range.ts';
import { migrate } from '../../clickhouse/schema.ts';
import { selectRows } from '../../clickhouse/statements/select.ts';
import { OBSERVATIONS, startApi, type TestApi } from '../support/api/api.ts';
import { newMarks, put, report } from '../support/archive/archive.ts';
import { list } from '../support/archive/ledger.ts';
import { readOnePage } from '../support/archive/records.ts';
import { freePort } from '../support/engine/engine.ts';
import { run } from '../support/process.ts';
import { newFolder } from '../support/test-run.ts';
import { LOGINS } from './server.ts';
import { startTwoShards, type TwoShards } from './two-shards.ts';

/** The bounds of D18 and of what sources exist, under the users and limits of `clickhouse/server/users.d`. */
const MAX_STATIONS = 1000;
const REPORTS_OF_STATION = 12;
const YEARS = 'from=2005-01-01T00:00:00Z&to=2027-01-01T00:00:00Z';
const MONTH = 'from=2024-03-01T00:00:00Z&to=2024-04-01T00:00:00Z';
const SOURCES = ['ogimet', 'ncei', 'madis', 'awc', 'iem'] as const;

describe('the limits of a cluster', () => {
  let shards: TwoShards;
  /** 1,001 stations of the first shard, and one of the second. */
  let stations: readonly string[];
  let elsewhere: string;
  let client: Archive;
  let api: TestApi;
  before(async () => {
    shards = await startTwoShards();
    const codes = Array.from({ length: 3000 }, (_, n) => `Z${n.toString(36).toUpperCase().padStart(3, '0')}`);
    const [first, second] = await shards.byShard(codes);
    stations = first.slice(0, MAX_STATIONS + 1);
    elsewhere = second[0] ?? '';
    await fill();
    client = openArchive(shards.settingsOf('api'));
    api = await startApi(client);
  });
  after(async () => {
    await api?.stop();
    await client?.close();
    await shards?.stop();
  });

  /** Twelve reports of each station, and 22 years done from five sources, each but for one day. */
  async function fill(): Promise<void> {
    const settings = shards.settingsOf('loader');
    const loader = openArchive(settings, 10, await readInsertSettings(settings));
    const all = [...stations, elsewhere];
    const reports = all.flatMap((station) =>
      Array.from({ length: REPORTS_OF_STATION }, (_, hour) =>
        report({ station, at: `2024-03-01T${String(hour).padStart(2, '0')}:51:00Z` }),
      ),
    );
    await insertRevisions(
      loader,
      reports.map((each) => put(each)),
      newMarks(loader),
    );
    await list(loader, ...all.flatMap((station) => SOURCES.map((source) => ({ station, source }))));
    await loader.close();
    // All but day 100.
    const days =
      'bitNot(toUInt256(1) + bitShiftLeft(toUInt256(1), 100)), bitShiftLeft(toUInt256(1), 111) - 1';
    await shards.servers[0].ask(
      LOGINS.loader,
      `INSERT INTO coverage (station, year, source, days, lateDays)
       SELECT arrayJoin([${all.map((station) => `'${station}'`).join()}]), 2005 + number,
         arrayJoin([${SOURCES.map((source) => `'${source}'`).join()}]), ${days}
       FROM numbers(22)`,
    );
  }
  const get = async (some: readonly string[], more: string) => {
    const response = await api.get(`${OBSERVATIONS}?stations=${some.join()}&${more}`);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

  it('admit the largest request: 1,000 stations, 22 years, five sources, 10,000 records', async () => {
    const { status, body } = await get(
      stations.slice(0, MAX_STATIONS),
      `${YEARS}&include=raw,decoded&limit=10000`,
    );
    assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
    assert.equal(body.data.length, 10_000);
    assert.equal(body.meta.coverage.stations.length, MAX_STATIONS);
    for (const { yearsAll, yearsDone } of body.meta.coverage.stations)
      assert.deepEqual([yearsAll, yearsDone], [22, 0]);
  });

  it('admit the coverage of as many stations', async () => {
    const some = stations.slice(0, MAX_STATIONS).join();
    const response = await api.get(`/v1/history/coverage?stations=${some}&${YEARS}`);
    const body = await response.text();
    assert.equal(response.status, 200, body.slice(0, 500));
    assert.equal(JSON.parse(body).data.length, MAX_STATIONS);
  });

  it('apply to the rows of a stream from all shards together', async () => {
    const [from, to] = [Date.UTC(2024, 2) / 1000, Date.UTC(2024, 3) / 1000];
    for (const some of [[elsewhere], [stations[0] ?? ''], [stations[0] ?? '', elsewhere]]) {
      const rows = some.length * REPORTS_OF_STATION;
      const states = await readCoverageStates(client, some);
      const endOf = (limit: number) => {
        const request = { stations: some, from, to, types: REPORT_TYPES, raw: true, decoded: false, limit };
        return fixRange(client, { ...request, format: 'ndjson', isWhole: true, states });
      };
      assert.equal((await endOf(rows)).last, undefined, some.join());
      await assert.rejects(endOf(rows - 1), CutRangeError, some.join());
    }
  });

  it('cannot be changed by a request, nor can it ask for an answer without a shard', async () => {
    const [server] = shards.servers;
    for (const setting of [
      'skip_unavailable_shards=1',
      'fallback_to_stale_replicas_for_distributed_queries=1',
      'distributed_product_mode=local',
      'max_execution_time=0',
      'max_result_rows=0',
      'read_overflow_mode=break',
    ])
      await assert.rejects(
        server.ask(LOGINS.api, 'SELECT 1', Object.fromEntries([setting.split('=')])),
        /SETTING_CONSTRAINT_VIOLATION/,
        setting,
      );
  });

  it('end a statement on both shards whose cancellation was lost', async () => {
    const { archive, close } = await openConnections(
      {
        queryLimits: { queriesAtOnce: 1, streamsAtOnce: 1, queryTimeoutSeconds: 1 },
        keys: { kind: 'file', path: '/dev/null', usageFolder: '/dev/null' },
      },
      shards.settingsOf('api'),
      openLog({ write: () => {} }),
    );
    const query =
      'SELECT sum(sleepEachRow(0.01)) FROM observations SETTINGS max_block_size = 10, function_sleep_max_microseconds_per_block = 0';
    const startedAt = performance.now();
    await assert.rejects(selectRows(archive, { query }), /Timeout exceeded: elapsed/);
    const seconds = (performance.now() - startedAt) / 1000;
    assert.ok(seconds > 5 && seconds < 20, `${seconds}`);
    await close();
  });

  it('have the start name a cluster that the server does not know', async () => {
    const settings = { ...shards.settingsOf('api'), cluster: 'other' };
    await assert.rejects(migrate(settings), /CLICKHOUSE_CLUSTER=other:\n- the cluster other is unknown/);
    await assert.rejects(readInsertSettings(settings), /the cluster other is unknown/);
    assert.deepEqual(await migrate(shards.settingsOf('api')), []);
    assert.equal((await readInsertSettings(shards.settingsOf('loader'))).insert_quorum, '1');
  });

  it('have the service start by way of the first server of a list that answers', async () => {
    const environment = shards.environmentOf('api');
    const nothing = `http://127.0.0.1:${await freePort()}`;
    const folder = newFolder();
    const settings = {
      ...environment,
      CLICKHOUSE_URL: `${nothing},${environment.CLICKHOUSE_URL}`,
      DATA_DIR: folder,
      PORT: '0',
    };
    const service = run('start', [], settings);
    try {
      const output = await service.until(/listening on .*\n/);
      const url = /listening on (\S+)/.exec(output)?.[1] ?? '';
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
    } finally {
      service.kill('SIGTERM');
      await service.finished;
    }
    const other = await run('start', [], { ...settings, CLICKHOUSE_CLUSTER: 'other' }).finished;
    assert.equal(other.code, 1);
    assert.match(other.stderr, /not ready for CLICKHOUSE_CLUSTER=other:\n- the cluster other is unknown/);
  });

  describe('without the second shard', () => {
    before(() => shards.servers[1].kill());

    it('answer a request for stations of the first shard, which reads no other', async () => {
      for (const count of [1, 2, 50, MAX_STATIONS]) {
        const { status, body } = await get(stations.slice(0, count), `${MONTH}&limit=2`);
        assert.equal(status, 200, `${count} stations: ${JSON.stringify(body).slice(0, 500)}`);
        assert.equal(body.data.length, 2);
      }
    });

    it('answer 503 where one of the stations is on the second', async () => {
      for (const some of [[elsewhere], [...stations.slice(0, MAX_STATIONS - 1), elsewhere]])
        assert.equal((await get(some, `${MONTH}&limit=2`)).status, 503);
    });

    it('skip a shard for 1,000 stations and not for 1,001, as the setting of ClickHouse says', async () => {
      const request = {
        from: Date.UTC(2024, 2) / 1000,
        to: Date.UTC(2024, 3) / 1000,
        types: ['METAR', 'SPECI'],
        raw: true,
        decoded: false,
        limit: 1,
      } as const;
      assert.equal((await readOnePage(client, { ...request, stations: stations.slice(1) })).records.count, 1);
      await assert.rejects(
        readOnePage(client, { ...request, stations }),
        (error) => storageFailure(error) === 'unavailable',
      );
    });
  });
});
