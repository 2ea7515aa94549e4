import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { after, before, beforeEach, describe, it } from 'mocha';
import { coverageStateReader } from '../../../../../clickhouse/coverage/state/state.ts';
import type { PageRequest } from '../../../../../clickhouse/observations/page/page.ts';
import { RecordStream } from '../../../../../clickhouse/observations/stream/join-windows.ts';
import { openRange } from '../../../../../clickhouse/observations/stream/open-range.ts';
import { type OpenStream, streamReader } from '../../../../../clickhouse/observations/stream/stream.ts';
import {
  type StreamRanges,
  streamRanges,
} from '../../../../../clickhouse/observations/stream/stream-range.ts';
import { emptyArchive, insert, NO_LIMIT, put, report } from '../../../../support/archive/archive.ts';

const at = (minute: number) => new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString();
const REPORTS = Array.from({ length: 50 }, (_, minute) => report({ at: at(minute), station: 'XAAA' }));
const REQUEST: PageRequest = {
  stations: ['XAAA'],
  from: Date.UTC(2024, 0, 1) / 1000,
  to: Date.UTC(2024, 0, 2) / 1000,
  types: ['METAR', 'SPECI'],
  raw: true,
  decoded: false,
  limit: 1000,
};

describe('opening a range', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  let opened: Readable[] = [];
  let openStream: OpenStream;
  let ranges: StreamRanges;
  let inserted = 0;
  before(async () => {
    archive = await emptyArchive();
    await insert(archive.client, ...REPORTS.map((one) => put(one)));
    const open = streamReader(archive.client, coverageStateReader(archive.client));
    openStream = async (...args) => {
      const stream = await open(...args);
      opened.push(stream);
      return stream;
    };
    ranges = streamRanges(archive.client, coverageStateReader(archive.client));
  });
  beforeEach(() => {
    opened = [];
  });
  after(() => archive.close());

  /** As a loader does between the two statements. */
  const insertBefore: (times: number) => OpenStream = (times) => {
    let left = times;
    return async (...args) => {
      if (left > 0)
        await insert(archive.client, put(report({ at: at(0), station: 'XAAA', raw: `more ${inserted++}` })));
      left -= 1;
      return openStream(...args);
    };
  };
  const countLines = async (bytes: Readable) => (await text(bytes)).split('\n').length - 1;

  it('counts no rows before it opens a range that most likely has far fewer than the limit', async () => {
    const counting: StreamRanges = { ...ranges, read: () => Promise.reject(new Error('counted before')) };
    const { range, bytes } = await openRange(counting, openStream, REQUEST, 'ndjson', NO_LIMIT);
    assert.equal(range.last, undefined);
    assert.equal(await countLines(bytes), REPORTS.length);
  });

  it('opens a range again that has more records than the coverage lets expect', async () => {
    // Fifty reports within one hour.
    const request = { ...REQUEST, limit: 40 };
    assert.ok(await ranges.expectWhole(request, 20, NO_LIMIT));
    const { range, bytes } = await openRange(ranges, openStream, request, 'ndjson', NO_LIMIT);
    assert.equal(range.last?.observedAt, REQUEST.from + 39 * 60);
    assert.equal(await countLines(bytes), 40);
    assert.deepEqual([opened.length, opened[0]?.destroyed], [2, true]);
  });

  it('opens a range again whose stream broke off at the limit before its rows were checked', async () => {
    const breaking: OpenStream = async (...args) => {
      if (opened.length > 0) return openStream(...args);
      const stream = new RecordStream().on('error', () => {});
      opened.push(stream.destroy(new Error('more records than the limit')));
      await once(stream, 'close');
      return stream;
    };
    const { bytes } = await openRange(ranges, breaking, { ...REQUEST, limit: 40 }, 'ndjson', NO_LIMIT);
    assert.equal(await countLines(bytes), 40);
  });

  it('counts the rows of a range only where the granules that it is read from have more than may be sent', async () => {
    const statements: string[] = [];
    const { select } = archive.client;
    const watched = streamRanges(
      {
        ...archive.client,
        select(statement, signal) {
          statements.push(statement.query);
          return select(statement, signal);
        },
      },
      coverageStateReader(archive.client),
    );
    const of = (to: number) => ({ ...REQUEST, to: Date.UTC(2024, 0, 1, 0, to) / 1000 });
    const rows = await ranges.count(REQUEST, NO_LIMIT);
    for (const [request, most, expected, count] of [
      [REQUEST, rows, true, 1],
      [REQUEST, rows - 1, false, 2],
      // All rows are in one granule.
      [of(10), 20, true, 2],
      [of(10), 5, false, 2],
      [{ ...REQUEST, stations: ['XZZZ'] }, 1, true, 2],
    ] as const) {
      statements.length = 0;
      assert.equal(await watched.hasAtMost(request, most, NO_LIMIT), expected, `${most}`);
      assert.equal(statements.length, count, statements.join('\n'));
    }
  });

  it('opens a range within the limit once', async () => {
    const { range, bytes } = await openRange(ranges, openStream, REQUEST, 'ndjson', NO_LIMIT);
    assert.equal(range.last, undefined);
    assert.equal(await countLines(bytes), REPORTS.length);
    assert.equal(opened.length, 1);
  });

  it('ends a longer range at the position of its last record', async () => {
    const request = { ...REQUEST, limit: 10 };
    const { range, bytes } = await openRange(ranges, openStream, request, 'ndjson', NO_LIMIT);
    assert.equal(range.last?.observedAt, REQUEST.from + 9 * 60);
    assert.equal(await countLines(bytes), 10);
  });

  for (const [what, limit, times] of [
    ['that was within the limit', REPORTS.length, 1],
    ['that was longer', 10, 1],
    ['again and again', 10, 5],
  ] as const)
    it(`holds at most limit records where a loader inserts before it is open: a range ${what} (D33)`, async () => {
      const { range, bytes } = await openRange(
        ranges,
        insertBefore(times),
        { ...REQUEST, limit },
        'ndjson',
        NO_LIMIT,
      );
      const count = await countLines(bytes);
      assert.ok(count <= limit && count > 0, `${count} of ${limit}`);
      // Another record follows.
      assert.ok(range.last);
      assert.equal(opened.length > 1, true);
      for (const stream of opened.slice(0, -1)) assert.equal(stream.destroyed, true);
    });

  for (const [what, where] of [
    ['while it is opened', {}],
    ['once it is open', { expectWhole: async () => undefined }],
  ] as const) {
    it(`closes what it opened where the records cannot be counted ${what}`, async () => {
      const fail = () => Promise.reject(new Error('not counted'));
      const failing = { ...ranges, hasAtMost: fail, exceeds: fail, ...where };
      await assert.rejects(openRange(failing, openStream, REQUEST, 'csv', NO_LIMIT), /not counted/);
      while (opened[0]?.destroyed !== true) await setImmediate();
    });

    it(`fails where the stream breaks off and the records are counted ${what}`, async () => {
      const breakOff = async <T>(counted: T) => {
        while (opened.length === 0) await setImmediate();
        opened[0]?.destroy(new Error('broken off'));
        return counted;
      };
      const breaking: StreamRanges = {
        ...ranges,
        hasAtMost: async (...args) => breakOff(await ranges.hasAtMost(...args)),
        exceeds: async (...args) => breakOff(await ranges.exceeds(...args)),
        ...where,
      };
      await assert.rejects(openRange(breaking, openStream, REQUEST, 'csv', NO_LIMIT), /broken off/);
    });
  }
});
