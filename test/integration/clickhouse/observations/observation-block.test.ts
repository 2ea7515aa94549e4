import assert from 'node:assert/strict';
import { DECODED_FIELDS } from '../../../../clickhouse/model/fields.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { ObservationBlock } from '../../../../clickhouse/observations/observation-block.ts';
import { readStoredReports } from '../../../../clickhouse/observations/stored-reports.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { decode } from '../../../../loader/decode.ts';
import { REPORTS } from '../../../fixtures/reports.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';

describe('block of observations', () => {
  const archive = useArchive();

  const from = Date.parse('2024-03-01T00:00:00Z') / 1000;
  const at = (minute: number) => new Date((from + minute * 60) * 1000).toISOString();
  const insertAll = (rows: readonly Report[]) => insert(archive.client, ...rows.map((row) => put(row)));
  const rowsOf = <Row>(query: string) => selectRows<Row>(archive.client, { query });
  const texts = async (station: string) =>
    (await readStoredReports(archive.client, { station, from, to: from + 86_400 * 31 }))
      .toSorted((a, b) => a.observedAt - b.observedAt)
      .map(({ raw }) => raw);

  it('stores texts of every length and of any characters', async () => {
    const rows = Array.from({ length: 300 }, (_, length) => {
      const raw = `XAAA ${['', 'é', '飛', '🛩'][length % 4]}${'\n\n'.repeat(length % 2)}${'x'.repeat(length)}`;
      return report({ at: at(length), raw });
    });
    await insertAll(rows);
    assert.deepEqual(
      await texts('XAAA'),
      rows.map(({ raw }) => raw),
    );
  });

  it('leaves out the columns in which no row has a value', () => {
    const block = new ObservationBlock();
    block.put(report({ at: at(0), decoded: { cavok: false, temp_c: '1.5' } }), 1, 'hour');
    const bytes = block.take();
    assert.deepEqual(
      ['temp_c', 'station', 'dewp_c', 'clouds', 'wx', 'retracted'].map((name) => bytes.includes(name)),
      [true, true, false, false, false, false],
    );
  });

  it('refuses a value that its Enum8 lacks: reading such a row ends the engine', () => {
    const put = (about: object) => new ObservationBlock().put(report({ at: at(0), ...about }), 1, 'hour');
    assert.throws(() => put({ type: 'metar' }), /"metar" is none of METAR, SPECI/);
    assert.throws(() => put({ decoded: { cavok: false, visib_mod: '' } }), /"" is none of/);
  });

  it('stores a text longer than the buffer, and the texts after it', async () => {
    const rows = ['x'.repeat(200_000), 'é'.repeat(100_000), 'short'].map((raw, minute) =>
      report({ station: 'XAAB', at: at(minute), raw }),
    );
    await insertAll(rows);
    assert.deepEqual(
      await texts('XAAB'),
      rows.map(({ raw }) => raw),
    );
  });

  it('stores each field in its row over several blocks, and the insert makes one part', async () => {
    const given = REPORTS.map((raw) => decode(raw).fields);
    // A full block first; then far apart and at the ends of blocks, with nearly nothing in between.
    const rows = Array.from({ length: 6000 }, (_, minute) =>
      report({
        station: 'XAAD',
        at: at(minute),
        decoded: (minute < 2048 || minute % 89 < 3 || minute % 2048 > 2045
          ? given[minute % given.length]
          : undefined) ?? {
          cavok: false,
        },
      }),
    );
    const parts = () =>
      rowsOf<{ n: number }>(
        "SELECT toUInt32(count()) AS n FROM system.parts WHERE active AND table = 'observations' AND database = currentDatabase()",
      );
    await archive.client.command({ query: 'SYSTEM STOP MERGES observations' });
    const [before] = await parts();
    await insertAll(rows);
    assert.deepEqual(await parts(), [{ n: (before?.n ?? 0) + 1 }]);
    const stored = await rowsOf<{ decoded: object }>(
      `SELECT tuple(${DECODED_FIELDS.map(({ name }) => name).join(', ')}) AS decoded FROM observations WHERE station = 'XAAD' ORDER BY observedAt`,
    );
    assert.deepEqual(
      stored.map(({ decoded }) => decoded),
      rows.map(({ decoded }) => {
        // -0 is stored between -0.1 and 0 (D62).
        const temperature = decoded?.temp_c === '-0' ? { temp_c: '-0.05' } : {};
        return { rvr: [], clouds: [], ...decoded, ...temperature };
      }),
    );
  });
});
