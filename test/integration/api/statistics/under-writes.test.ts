import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApi, useApi } from '../../../support/api/api.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { list, recordDone } from '../../../support/archive/ledger.ts';
import { repetitions } from '../../../support/repetitions.ts';

const DAYS = repetitions({ usual: 7, long: 150 });
const START = Date.UTC(2023, 0, 1);
const at = (day: number, hour = 0) => new Date(START + (day * 24 + hour) * 3_600_000).toISOString();

type Body<Row> = {
  readonly data: readonly Row[];
  readonly meta: { readonly coverage: { readonly status: Status } };
};
type Status = 'none' | 'partial' | 'complete';
type Hour = { readonly observedAt?: string; readonly temp_c?: string };

describe('pages, statistics and hourly series while loaders write', () => {
  const archive = useArchive();
  before(async () => {
    await list(archive.client, { station: 'XAAA' });
  });
  const api = useApi(() => startApi(archive.client));

  /** Every hour of a day has the same temperature: one insert is one state. */
  const write = (day: number, temperature: number) =>
    insert(
      archive.client,
      ...Array.from({ length: 24 }, (_, hour) =>
        put(
          report({ at: at(day, hour), decoded: { temp_c: String(temperature), cavok: false } }),
          temperature,
        ),
      ),
    );

  async function ask<Row>(path: string, day: number, more: string): Promise<Body<Row>> {
    const query = `stations=XAAA&from=${at(day)}&to=${at(day + 1)}&${more}`;
    return api.json<Body<Row>>(`/v1/history/${path}?${query}`);
  }

  /** What an answer holds of a day: how many hours, and which temperatures. */
  const readers: readonly ((day: number) => Promise<readonly [Status, number, readonly number[]]>)[] = [
    async (day) => {
      const select = 'select=low:min(temp_c),high:max(temp_c)';
      const { data, meta } = await ask<{ n: number; low?: number; high?: number }>('statistics', day, select);
      const [row] = data;
      const found = [row?.low, row?.high].filter((value) => value !== undefined);
      return [meta.coverage.status, row?.n ?? 0, found];
    },
    async (day) => {
      const { data, meta } = await ask<Hour>('hourly', day, 'fields=temp_c');
      const found = data.filter(({ observedAt }) => observedAt !== undefined);
      return [meta.coverage.status, found.length, found.map(({ temp_c }) => Number(temp_c))];
    },
    async (day) => {
      const { data, meta } = await ask<{ decoded: Hour }>('observations', day, 'include=decoded');
      return [meta.coverage.status, data.length, data.map(({ decoded }) => Number(decoded.temp_c))];
    },
    async (day) => {
      const range = `stations=XAAA&from=${at(day)}&to=${at(day + 1)}&filter=temp_c>0`;
      const response = await api.get(`/v1/history/observations.ndjson?${range}&include=decoded`);
      const lines = (await response.text()).split('\n').slice(0, -1);
      const found = lines.map((line) => Number(JSON.parse(line).decoded.temp_c));
      return [response.headers.get('x-coverage-status') as Status, found.length, found];
    },
  ];

  /** How many records all days have, by pages and by a stream: each once and in order. */
  async function countAll(): Promise<number> {
    const all = `stations=XAAA&from=${at(0)}&to=${at(DAYS)}&filter=temp_c>0`;
    const [pages, stream] = await Promise.all([
      api.walk<Hour>(`/v1/history/observations?${all}&limit=17`),
      api.lines<Hour>(`/v1/history/observations.ndjson?${all}`),
    ]);
    for (const rows of [pages, stream]) {
      const times = rows.map(({ observedAt }) => observedAt);
      assert.deepEqual(times, [...new Set(times)].toSorted());
    }
    return Math.min(pages.length, stream.length);
  }

  it('claim no day that they do not hold, and never mix two versions of it (D16)', async () => {
    let written = 0;
    const seen = { none: 0, partial: 0, complete: 0 };
    const writeAll = async () => {
      for (; written < DAYS; written += 1) {
        await write(written, 1);
        await recordDone(archive.client, at(written).slice(0, 10), at(written + 1).slice(0, 10));
        await write(Math.max(0, written - 1), 2);
      }
    };
    const check = async (reader: number, day: number) => {
      const [status, hours, temperatures] = await (readers[reader] as (typeof readers)[number])(day);
      seen[status] += 1;
      if (status !== 'none') assert.equal(hours, 24, `day ${day}: ${status} with ${hours} hours`);
      assert.ok(new Set(temperatures).size <= 1, `day ${day}: ${temperatures}`);
      assert.ok(hours === 0 || hours === 24, `day ${day}: ${hours} hours`);
      return temperatures[0];
    };
    const readWhileWriting = async (reader: number) => {
      for (let n = reader; written < DAYS; n += 1) {
        // The days around the one that is being written.
        const day = Math.min(DAYS - 1, Math.max(0, written - 2 + (n % 4)));
        await check(reader, day);
        if (reader === 0 && written > 0) await countAll();
        await sleep(10);
      }
    };
    await Promise.all([writeAll(), ...readers.map((_, reader) => readWhileWriting(reader))]);
    assert.ok(seen.none > 0 && seen.complete > 0, JSON.stringify(seen));
    // A cached state is at most a second old.
    await sleep(1100);
    for (let day = 0; day < DAYS; day += 1)
      for (const reader of readers.keys())
        assert.equal(await check(reader, day), day === DAYS - 1 ? 1 : 2, `day ${day}`);
    assert.equal(await countAll(), DAYS * 24);
    assert.equal(seen.complete >= readers.length * DAYS, true, JSON.stringify(seen));
  });
});
