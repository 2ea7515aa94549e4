import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { parquetMetadata } from 'hyparquet';
import type { Archive } from '../../../../../clickhouse/archive.ts';
import type { CoverageStates } from '../../../../../clickhouse/coverage/rules.ts';
import { readCoverageStates } from '../../../../../clickhouse/coverage/state.ts';
import type { PageRequest } from '../../../../../clickhouse/observations/selection.ts';
import { joinWindows } from '../../../../../clickhouse/observations/stream/join-windows.ts';
import type { StreamFormat } from '../../../../../clickhouse/observations/stream/output-formats.ts';
import { openStream, type PartRows } from '../../../../../clickhouse/observations/stream/stream.ts';
import type { StreamRange } from '../../../../../clickhouse/observations/stream/stream-range.ts';
import { decode } from '../../../../../loader/decode.ts';
import { REPORTS } from '../../../../fixtures/reports.ts';
import { insert, put, report, useArchive } from '../../../../support/archive/archive.ts';
import { readArrow, readByDuckdb } from '../../../../support/archive/flat-records.ts';
import { until } from '../../../../support/engine/engine.ts';

const HOURS = 24 * 20;
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
const IN_ONE: PartRows = { first: 1e9, next: 1e9, judged: 1e9 };
const IN_MANY: PartRows = { first: 20, next: 150, judged: 200 };

describe('a stream in windows of time', () => {
  const archive = useArchive();
  let states: CoverageStates;
  before(async () => {
    const reports = REQUEST.stations.flatMap((station) =>
      Array.from({ length: HOURS }, (_, hour) => {
        // Every field, list and absent value.
        const decoded = decode(REPORTS[hour % REPORTS.length] ?? '').fields;
        return put(report({ at: at(hour), station, decoded }));
      }),
    );
    await insert(archive.client, ...reports);
    states = await readCoverageStates(archive.client, REQUEST.stations);
  });

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
    rows: PartRows,
    format: StreamFormat = 'ndjson',
    request = REQUEST,
    range = RANGE,
  ) => {
    return buffer(await openStream(client, { ...request, isWhole: false, format, states }, range, rows));
  };

  const position = (hour: number) => ({
    observedAt: REQUEST.from + hour * 3600,
    station: 'XAAA',
    type: 'METAR' as const,
    fingerprint: 'ffffffff',
  });
  const READERS = {
    csv: async (bytes: Buffer) => bytes.toString(),
    ndjson: async (bytes: Buffer) => bytes.toString(),
    parquet: (bytes: Buffer) => readByDuckdb(bytes, 'read_parquet'),
    arrow: async (bytes: Buffer) => readArrow(bytes),
  } as const satisfies Record<StreamFormat, unknown>;
  const FORMATS = Object.keys(READERS) as readonly StreamFormat[];

  for (const format of FORMATS)
    for (const [what, isDescending, first, last] of [
      ['the whole range', false, undefined, undefined],
      ['a range after a cursor', false, 100, undefined],
      ['a range between two positions', false, 100, 450],
      ['the whole range in reverse, the newest first', true, undefined, undefined],
      ['a range between two positions in reverse', true, 450, 100],
    ] as const)
      it(`has the records of one statement: ${format}, ${what}`, async () => {
        const request: PageRequest = {
          ...REQUEST,
          ...(isDescending && { isDescending }),
          ...(first !== undefined && { after: position(first) }),
        };
        const [begin, end] = isDescending ? [last, first] : [first, last];
        const range: StreamRange = {
          window: {
            from: begin === undefined ? REQUEST.from : position(begin).observedAt,
            to: end === undefined ? REQUEST.to : position(end).observedAt + 1,
          },
          ...(last !== undefined && { last: position(last) }),
        };
        const many = counted();
        const joined = await READERS[format](await read(many, IN_MANY, format, request, range));
        const one = await READERS[format](await read(counted(), IN_ONE, format, request, range));
        assert.deepEqual(joined, one);
        assert.ok(many.statements > 2, `${many.statements} statements`);
        if (!isDescending || format !== 'ndjson') return;
        const all = await read(counted(), IN_ONE, format);
        const inOrder = all.toString().trimEnd().split('\n');
        const reversed = String(joined).trimEnd().split('\n');
        const hours = first === undefined ? HOURS : first - last;
        assert.equal(reversed.length, 2 * hours);
        const skipped = first === undefined ? 0 : inOrder.length - 2 * first - 1;
        assert.deepEqual(reversed, inOrder.toReversed().slice(skipped, skipped + 2 * hours));
      });

  it('knows how many records it had', async () => {
    for (const format of FORMATS)
      for (const [request, expected] of [
        [REQUEST, 2 * HOURS],
        [{ ...REQUEST, stations: ['XZZZ'] }, 0],
      ] as const) {
        const stream = await openStream(
          archive.client,
          { ...request, isWhole: false, format, states },
          RANGE,
          IN_MANY,
        );
        await buffer(stream);
        assert.equal(stream.records, expected, format);
      }
  });

  it('has one header where no window has records', async () => {
    const request = { ...REQUEST, stations: ['XZZZ'] };
    const bytes = (format: StreamFormat) => read(counted(), IN_MANY, format, request);
    assert.match((await bytes('csv')).toString(), /^"?id.*\r\n$/);
    const { rows, types } = await READERS.parquet(await bytes('parquet'));
    assert.deepEqual([rows.length, types.raw], [0, 'VARCHAR']);
    const arrow = await READERS.arrow(await bytes('arrow'));
    assert.deepEqual([arrow.rows.length, arrow.types.raw], [0, 'Utf8']);
  });

  // An earlier end would cut what readers read above.
  it('sends the schema of Arrow once, and its end', async () => {
    const text = (await read(counted(), IN_MANY, 'arrow')).toString('latin1');
    assert.equal(text.split('parseStatus').length - 1, 1);
    assert.equal(text.slice(-8), '\xff\xff\xff\xff\0\0\0\0');
  });

  it('reads messages of Arrow wherever the bytes are divided, and refuses a part of one', async () => {
    const bytes = await read(counted(), IN_ONE, 'arrow');
    const join = async (from: Buffer, size: number) => {
      const pieces = Array.from({ length: Math.ceil(from.length / size) }, (_, n) =>
        from.subarray(n * size, (n + 1) * size),
      );
      const windows = async function* (): AsyncGenerator<Readable, undefined> {
        yield Readable.from(pieces);
      };
      return buffer(await joinWindows('arrow', REQUEST.limit, windows()));
    };
    for (const size of [7, 1000, 99_991]) assert.ok((await join(bytes, size)).equals(bytes), `${size} bytes`);
    for (const end of [7, 100, bytes.length - 9])
      await assert.rejects(join(bytes.subarray(0, end), 1000), /a part of an Arrow message/);
  });

  it('says in a joined Parquet file which values a row group has', async () => {
    const file = parquetMetadata(await read(counted(), IN_MANY, 'parquet'));
    assert.ok(file.row_groups.length > 2);
    const times = file.row_groups.map(({ columns }) => columns[2]?.meta_data?.statistics);
    const bounds = times.flatMap((one) => [one?.min_value as Date, one?.max_value as Date]);
    assert.deepEqual(bounds[0], new Date(REQUEST.from * 1000));
    assert.deepEqual(
      bounds,
      bounds.toSorted((a, b) => Number(a) - Number(b)),
    );
  });

  it('breaks off instead of passing more records than limit on', async () => {
    const request = { ...REQUEST, limit: 2 * HOURS - 1 };
    for (const format of FORMATS) await assert.rejects(read(counted(), IN_MANY, format, request), /inserted/);
    for (const format of FORMATS)
      assert.ok((await read(counted(), IN_MANY, format, { ...request, limit: 2 * HOURS })).length > 0);
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
    const stream = await openStream(
      client,
      { ...REQUEST, isWhole: false, format: 'ndjson', states },
      RANGE,
      IN_MANY,
    );
    stream.destroy();
    await until(() => opened.length >= 2 && opened.every(({ destroyed }) => destroyed));
  });
});
