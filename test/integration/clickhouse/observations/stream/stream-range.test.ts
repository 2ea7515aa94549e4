import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { Archive } from '../../../../../clickhouse/archive.ts';
import { parseCondition } from '../../../../../clickhouse/conditions/parse-condition.ts';
import type { CoverageStates } from '../../../../../clickhouse/coverage/rules.ts';
import { readCoverageStates } from '../../../../../clickhouse/coverage/state.ts';
import type { PageRequest } from '../../../../../clickhouse/observations/selection.ts';
import { openRange } from '../../../../../clickhouse/observations/stream/stream.ts';
import { insert, put, report, useArchive } from '../../../../support/archive/archive.ts';

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
  const archive = useArchive();
  let states: CoverageStates;
  let opened: Readable[] = [];
  let inserted = 0;
  before(async () => {
    await insert(archive.client, ...REPORTS.map((one) => put(one)));
    states = await readCoverageStates(archive.client, REQUEST.stations);
  });
  beforeEach(() => {
    opened = [];
  });

  /** The archive, which keeps the streams that it opens. */
  const watched = (change: Partial<Archive> = {}): Archive => {
    const client = { ...archive.client, ...change };
    return {
      ...client,
      async stream(...args) {
        const stream = await client.stream(...args);
        opened.push(stream);
        return stream;
      },
    };
  };
  /** As a loader does between counting records and opening their stream. */
  const insertingBefore = (times: number): Archive => {
    let left = times;
    return watched({
      async stream(...args) {
        if (left > 0)
          await insert(
            archive.client,
            put(report({ at: at(0), station: 'XAAA', raw: `more ${inserted++}` })),
          );
        left -= 1;
        return archive.client.stream(...args);
      },
    });
  };
  /** It counts rows by `count`, once a stream is open. */
  const countingBy = (count: () => Promise<void>): Archive =>
    watched({
      async select(select, signal) {
        if (opened.length > 0 && /AS rows|served_parts/.test(select.query)) await count();
        return archive.client.select(select, signal);
      },
    });
  const open = (client: Archive, change: Partial<PageRequest> = {}) =>
    openRange(client, { ...REQUEST, ...change, isWhole: false, states, format: 'ndjson' });
  /** A limit that loaders could exceed while a stream is opened. */
  const CLOSE = { limit: REPORTS.length + 10 };
  const countLines = async (bytes: Readable) => (await text(bytes)).split('\n').length - 1;

  it('opens a range within the limit once', async () => {
    const { range, bytes } = await open(watched());
    assert.equal(range.last, undefined);
    assert.equal(await countLines(bytes), REPORTS.length);
    assert.equal(opened.length, 1);
  });

  it('ends a longer range at the position of its last record', async () => {
    const { range, bytes } = await open(watched(), { limit: 10 });
    assert.equal(range.last?.observedAt, REQUEST.from + 9 * 60);
    assert.equal(await countLines(bytes), 10);
  });

  for (const [what, filter, judgedRows, why] of [
    ['how many rows it has', undefined, 100, 'the range holds about 50 records, and one response at most 10'],
    [
      'that more meet the condition',
      "raw LIKE 'XAAA%'",
      100,
      'the condition is true for more than 10 records, the most that one response holds',
    ],
    [
      'that more would be judged',
      "raw LIKE '%nowhere%'",
      20,
      'a condition is judged on at most 20 reports for one response, and the range holds more',
    ],
  ] as const)
    it(`refuses a longer range that must be whole, and says ${what}`, async () => {
      const condition = filter && { condition: parseCondition(filter) };
      const request = {
        ...REQUEST,
        ...condition,
        limit: 10,
        isWhole: true,
        states,
        format: 'ndjson',
      } as const;
      await assert.rejects(openRange(watched(), request, { judgedRows }), {
        name: 'CutRangeError',
        message: why,
      });
      assert.equal(opened.length, 0);
    });

  for (const [what, limit, times] of [
    ['that was within the limit', REPORTS.length, 1],
    ['that was longer', 10, 1],
    ['again and again', 10, 5],
  ] as const)
    it(`holds at most limit records where a loader inserts before it is open: a range ${what}`, async () => {
      const { range, bytes } = await open(insertingBefore(times), { limit });
      const count = await countLines(bytes);
      assert.ok(count <= limit && count > 0, `${count} of ${limit}`);
      // Another record follows.
      assert.ok(range.last);
      assert.equal(opened.length > 1, true);
      for (const stream of opened.slice(0, -1)) assert.equal(stream.destroyed, true);
    });

  it('counts once where the records are far fewer than the limit', async () => {
    let counts = 0;
    const counting = countingBy(async () => {
      counts += 1;
    });
    await open(counting);
    assert.equal(counts, 0, 'once the stream is open');
    opened = [];
    await open(counting, CLOSE);
    assert.equal(counts, 1);
  });

  it('closes what it opened where the records cannot be counted', async () => {
    const failing = countingBy(() => Promise.reject(new Error('not counted')));
    await assert.rejects(open(failing, CLOSE), /not counted/);
    while (opened[0]?.destroyed !== true) await setImmediate();
  });

  it('fails where the stream breaks off while its records are counted', async () => {
    const breaking = countingBy(async () => {
      opened[0]?.destroy(new Error('broken off'));
      await setImmediate();
    });
    await assert.rejects(open(breaking, CLOSE), /broken off/);
  });
});
