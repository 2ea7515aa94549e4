import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { coverageStateReader } from '../../../../../clickhouse/coverage/state/state.ts';
import type { PageRequest } from '../../../../../clickhouse/observations/page/page.ts';
import { rangeOpener } from '../../../../../clickhouse/observations/stream/open-range.ts';
import { type OpenStream, streamReader } from '../../../../../clickhouse/observations/stream/stream.ts';
import {
  type StreamRangeReader,
  streamRangeReader,
} from '../../../../../clickhouse/observations/stream/stream-range.ts';
import { emptyArchive, insert, NO_LIMIT, put, report } from '../../../../support/archive/archive.ts';

const REPORTS = Array.from({ length: 50 }, (_, minute) =>
  report({ at: new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString(), station: 'XAAA' }),
);
const REQUEST: PageRequest = {
  stations: ['XAAA'],
  from: Date.UTC(2024, 0, 1),
  to: Date.UTC(2024, 0, 2),
  types: ['METAR', 'SPECI'],
  raw: true,
  decoded: false,
  limit: 1000,
};

describe('opening a range', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  let opened: Promise<Readable>[] = [];
  let openStream: OpenStream;
  let readRange: StreamRangeReader;
  before(async () => {
    archive = await emptyArchive();
    await insert(archive.client, ...REPORTS.map((one) => put(one)));
    const open = streamReader(archive.client);
    openStream = (...args) => {
      const stream = open(...args);
      opened.push(stream);
      return stream;
    };
    readRange = streamRangeReader(archive.client, coverageStateReader(archive.client));
  });
  beforeEach(() => {
    opened = [];
  });
  after(() => archive.close());

  const wasDestroyed = (stream: Promise<Readable> | undefined) =>
    stream?.then(
      ({ destroyed }) => destroyed,
      () => true,
    );

  it('opens a range within the limit once, while its rows are counted', async () => {
    let openedBeforeCount = 0;
    const counted: StreamRangeReader = (request, signal, onCount) =>
      readRange(request, signal, (window, isRange) => {
        const checked = isRange.then((is) => {
          openedBeforeCount = opened.length;
          return is;
        });
        onCount?.(window, checked);
      });
    const { range, bytes } = await rangeOpener(counted, openStream)(REQUEST, 'ndjson', NO_LIMIT);
    assert.equal(range.last, undefined);
    assert.equal((await text(bytes)).split('\n').length, REPORTS.length + 1);
    assert.deepEqual([openedBeforeCount, opened.length], [1, 1]);
  });

  it('stops what it opened where the range is longer than the limit', async () => {
    const request = { ...REQUEST, limit: 10 };
    const { range, bytes } = await rangeOpener(readRange, openStream)(request, 'ndjson', NO_LIMIT);
    assert.equal(range.last?.observedAt, REQUEST.from / 1000 + 9 * 60);
    assert.equal((await text(bytes)).split('\n').length, 10 + 1);
    assert.equal(opened.length, 2);
    assert.equal(await wasDestroyed(opened[0]), true);
  });

  it('stops what it opened where the rows cannot be counted', async () => {
    const failing: StreamRangeReader = async (_, __, onCount) => {
      const count = Promise.reject(new Error('not counted'));
      onCount?.({ from: REQUEST.from / 1000, to: REQUEST.to / 1000 }, count);
      await count;
      return assert.fail('the count fails');
    };
    await assert.rejects(rangeOpener(failing, openStream)(REQUEST, 'csv', NO_LIMIT), /not counted/);
    assert.equal(await wasDestroyed(opened[0]), true);
  });

  it('fails where the stream cannot be opened, also when that is known before the count', async () => {
    const counted: StreamRangeReader = (request, signal, onCount) =>
      readRange(request, signal, (window, isRange) => onCount?.(window, isRange)).then(async (range) => {
        await sleep(20);
        return range;
      });
    const failing: OpenStream = () => Promise.reject(new Error('not opened'));
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    await assert.rejects(rangeOpener(counted, failing)(REQUEST, 'csv', NO_LIMIT), /not opened/);
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, [], 'it would end the process');
  });

  it('fails where the stream breaks off while its rows are counted', async () => {
    const counted: StreamRangeReader = async (request, signal, onCount) => {
      const range = await readRange(request, signal, onCount);
      const stream = await opened[0];
      // By then all bytes of so short a stream have arrived.
      await sleep(20);
      stream?.destroy(new Error('broken off'));
      await sleep(1);
      return range;
    };
    await assert.rejects(rangeOpener(counted, openStream)(REQUEST, 'csv', NO_LIMIT), /broken off/);
  });

  it('opens a range before 2005 without counting', async () => {
    const before2005 = { ...REQUEST, from: 0, to: 1000 };
    const { bytes } = await rangeOpener(readRange, openStream)(before2005, 'ndjson', NO_LIMIT);
    assert.equal(await text(bytes), '');
    assert.equal(opened.length, 1);
  });
});
