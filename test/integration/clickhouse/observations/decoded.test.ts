import assert from 'node:assert/strict';
import { columnType, FIELD_COLUMNS } from '../../../../clickhouse/model/field-columns.ts';
import {
  DECODED_FIELDS,
  type Decoded,
  type Field,
  type FieldType,
  isList,
} from '../../../../clickhouse/model/fields.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { decode } from '../../../../loader/decode.ts';
import { REPORTS } from '../../../fixtures/reports.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { parseRecords, readOnePage } from '../../../support/archive/records.ts';

const START = Date.parse('2024-01-01T00:00:00Z') / 1000;

describe('decoded fields in the archive', () => {
  const archive = useArchive();

  async function store(station: string, records: readonly Decoded[]): Promise<void> {
    const at = (minute: number) => new Date((START + minute * 60) * 1000).toISOString();
    await insert(
      archive.client,
      ...records.map((decoded, n) => put(report({ station, at: at(n), raw: REPORTS[n] ?? 'TEXT', decoded }))),
    );
  }

  async function serve(station: string): Promise<readonly Decoded[]> {
    const page = await readOnePage(archive.client, {
      stations: [station],
      from: START,
      to: START + 86_400,
      types: ['METAR', 'SPECI'],
      raw: false,
      decoded: true,
      limit: 1000,
    });
    return parseRecords<{ decoded: Decoded }>(page.records).map(({ decoded }) => decoded);
  }

  it('have the types of the list', async () => {
    const rows = await selectRows<{ name: string; type: string }>(archive.client, {
      query:
        "SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = 'observations'",
    });
    const types = new Map(rows.map(({ name, type }) => [name, type]));
    for (const [name, column] of FIELD_COLUMNS) assert.equal(types.get(name), columnType(column));
    assert.equal(types.size, 12 + FIELD_COLUMNS.size);
  });

  it('are served as they were stored, each field alone and all together', async () => {
    const alone = DECODED_FIELDS.map((field, n) => ({ cavok: false, ...sampleOf([field], n) }));
    const together = [1, 2, 3].map((n) => sampleOf(DECODED_FIELDS, n));
    const records = [...alone, ...together] as Decoded[];
    await store('XAAB', records);
    assert.deepEqual(await serve('XAAB'), records);
  });

  it('are served as the decoder made them (D9)', async () => {
    const records = REPORTS.map((raw) => decode(raw).fields);
    await store('XAAA', records);
    assert.deepEqual(await serve('XAAA'), records);
  });

  it('are not stored for a report that did not parse cleanly, except NIL and corrections', async () => {
    const decoded = { ...(sampleOf(DECODED_FIELDS, 1) as Decoded), nil: true } as const;
    await insert(
      archive.client,
      put(report({ station: 'XAAD', at: '2024-01-01T00:00:00Z', clean: false, decoded })),
    );
    const columns = [...FIELD_COLUMNS].map(
      ([name, { type }]) => `${isList(type) ? 'notEmpty' : 'isNotNull'}(${name}) AS ${name}`,
    );
    const [row] = await selectRows<Record<string, number>>(archive.client, {
      query: `SELECT ${columns.join(', ')} FROM observations WHERE station = 'XAAD'`,
    });
    assert.deepEqual(
      Object.keys(row ?? {}).filter((name) => row?.[name] === 1),
      ['cor', 'cor_number', 'nil'],
    );
  });

  it('are all given by the reports of the fixture', () => {
    const given = new Set(REPORTS.flatMap((raw) => Object.keys(decode(raw).fields)));
    const names = DECODED_FIELDS.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => !given.has(name)),
      [],
    );
  });
});

/** Values that differ from field to field and from sample to sample. */
function sampleOf(fields: readonly Field[], sample: number): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, type }, n) => [name, sampleValue(type, sample + n)]));
}

function sampleValue(type: FieldType, n: number): unknown {
  if (typeof type === 'object') return 'items' in type ? [sampleOf(type.items, n)] : type[n % type.length];
  switch (type) {
    case 'UInt8':
    case 'UInt16':
    case 'UInt32':
      return n + 1;
    case 'Float32':
    case 'Float64':
      return n + 0.25;
    case 'Decimal':
      return n + 0.5;
    case 'Temperature':
      return n % 3 === 0 ? '-0' : `-${n}.5`;
    case 'String':
      return `TEXT ${n}`;
    case 'Bool':
    case 'true':
      return true;
  }
}
