import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'mocha';
import type { Archive } from '../../../../../clickhouse/archive.ts';
import { coverageStateReader } from '../../../../../clickhouse/coverage/state/state.ts';
import type { PageRequest } from '../../../../../clickhouse/observations/page/page.ts';
import { type StreamFormat, streamReader } from '../../../../../clickhouse/observations/stream/stream.ts';
import type { StreamRange } from '../../../../../clickhouse/observations/stream/stream-range.ts';
import type { WindowRows } from '../../../../../clickhouse/observations/stream/windows.ts';
import { emptyArchive, insert, NO_LIMIT, put, report } from '../../../../support/archive/archive.ts';

const HOURS = 24 * 30;
const at = (hour: number) => new Date(Date.UTC(2024, 0, 1, hour)).toISOString();
const REQUEST: PageRequest = {
  stations: ['XAAA', 'XAAB'],
  from: Date.UTC(2024, 0, 1) / 1000,
  to: Date.UTC(2025, 0, 1) / 1000,
  types: ['METAR', 'SPECI'],
  raw: true,
  decoded: true,
  limit: 10_000,
};
const RANGE: StreamRange = { window: { from: REQUEST.from, to: REQUEST.to } };
const IN_ONE: WindowRows = { first: 1e9, next: 1e9 };
const IN_MANY: WindowRows = { first: 20, next: 150 };

describe('a stream in windows of time', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  before(async () => {
    archive = await emptyArchive();
    const reports = REQUEST.stations.flatMap((station) =>
      Array.from({ length: HOURS }, (_, hour) => put(report({ at: at(hour), station }))),
    );
    await insert(archive.client, ...reports);
  });
  after(() => archive.close());

  /** The archive, and how many statements of a stream it has been asked. */
  const counted = (change: Partial<Archive> = {}) => {
    const client = { ...archive.client, ...change, statements: 0 };
    const { stream } = client;
    client.stream = (...args) => {
      client.statements += 1;
      return stream(...args);
    };
    return client;
  };
  const read = async (
    client: Archive,
    rows: WindowRows,
    format: StreamFormat = 'ndjson',
    request = REQUEST,
    range = RANGE,
  ) => {
    const open = streamReader(client, coverageStateReader(archive.client), rows);
    return text(await open(request, range, format, NO_LIMIT));
  };

  const position = (hour: number) => ({
    observedAt: REQUEST.from + hour * 3600,
    station: 'XAAA',
    type: 'METAR' as const,
    fingerprint: 'ffffffff',
  });
  for (const format of ['csv', 'ndjson'] as const)
    for (const [what, first, last] of [
      ['the whole range', undefined, undefined],
      ['a range after a cursor', 100, undefined],
      ['a range between two positions', 100, 333],
    ] as const)
      it(`has the bytes of one statement: ${format}, ${what}`, async () => {
        const request = first === undefined ? REQUEST : { ...REQUEST, after: position(first) };
        const range: StreamRange = {
          window: {
            from: first === undefined ? REQUEST.from : position(first).observedAt,
            to: last === undefined ? REQUEST.to : position(last).observedAt + 1,
          },
          ...(last !== undefined && { last: position(last) }),
        };
        const many = counted();
        const joined = await read(many, IN_MANY, format, request, range);
        assert.equal(joined, await read(counted(), IN_ONE, format, request, range));
        assert.ok(many.statements > 2, `${many.statements} statements`);
      });

  it('has one header where no window has records', async () => {
    const request = { ...REQUEST, stations: ['XZZZ'] };
    assert.match(await read(counted(), IN_MANY, 'csv', request), /^"?id.*\r\n$/);
  });

  it('breaks off instead of passing more records than limit on', async () => {
    const request = { ...REQUEST, limit: 2 * HOURS - 1 };
    for (const format of ['csv', 'ndjson'] as const)
      await assert.rejects(read(counted(), IN_MANY, format, request), /inserted/);
    assert.equal((await read(counted(), IN_MANY, 'csv', { ...request, limit: 2 * HOURS })).length > 0, true);
  });

  it('breaks off where a window cannot be opened', async () => {
    const client = counted();
    const { stream } = client;
    client.stream = (...args) =>
      client.statements === 3 ? Promise.reject(new Error('gone')) : stream(...args);
    await assert.rejects(read(client, IN_MANY), /gone/);
  });

  it('breaks off where another server of the list is chosen meanwhile', async () => {
    let changes = 0;
    await assert.rejects(read(counted({ countServerChanges: () => changes++ }), IN_MANY), /another server/);
  });

  it('closes every statement once its reader is gone', async () => {
    const opened: { destroyed: boolean }[] = [];
    const client = counted({
      async stream(...args) {
        const stream = await archive.client.stream(...args);
        opened.push(stream);
        return stream;
      },
    });
    const open = streamReader(client, coverageStateReader(archive.client), IN_MANY);
    const stream = await open(REQUEST, RANGE, 'ndjson', NO_LIMIT);
    stream.destroy();
    const deadline = performance.now() + 5000;
    while (opened.length < 2 || opened.some(({ destroyed }) => !destroyed)) {
      assert.ok(
        performance.now() < deadline,
        `${opened.filter(({ destroyed }) => !destroyed).length} are open`,
      );
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
});
