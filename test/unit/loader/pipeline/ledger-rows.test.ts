import assert from 'node:assert/strict';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { fingerprint } from '../../../../clickhouse/model/report.ts';
import { ledgerRows, splitAtIncompleteDays } from '../../../../loader/pipeline/ledger-rows.ts';
import type { NormalizedReport } from '../../../../loader/pipeline/normalize.ts';
import type { Slice } from '../../../../loader/sources/source.ts';

const day = (text: string) => text as Day;
const SLICE: Slice = {
  source: 'ncei',
  station: 'KXYZ',
  firstDay: day('2024-01-01'),
  endDay: day('2024-01-11'),
};
const FAR = day('2025-01-01');
const at = (time: string): NormalizedReport => {
  const raw = `METAR KXYZ ${time.slice(8, 10)}0051Z 18004KT`;
  const observedAt = Date.parse(time) / 1000;
  return { station: 'KXYZ', observedAt, fingerprint: fingerprint(raw), raw, sentType: 'METAR', nil: false };
};
const JANUARY_2 = Date.UTC(2024, 0, 2) / 86_400_000;
const WRITTEN = {
  reports: 3,
  inserted: 2,
  skipped: { 'cut short': 2 },
  dailyCounts: new Map([[JANUARY_2, 5]]),
} as const;

describe('ledger rows', () => {
  it('are one row for a slice without incomplete days', () => {
    assert.equal(splitAtIncompleteDays(SLICE, { reports: [], skipped: {} }), undefined);
    assert.equal(splitAtIncompleteDays(SLICE, { reports: [], skipped: {}, incompleteDays: [] }), undefined);
    assert.deepEqual(ledgerRows(SLICE, 'run 1', FAR, WRITTEN), [
      {
        ...SLICE,
        doneDay: SLICE.endDay,
        reports: 3,
        inserted: 2,
        skipped: { 'cut short': 2 },
        run: 'run 1',
        reportsByDay: [0, 5, 0, 0, 0, 0, 0, 0, 0, 0],
      },
    ]);
  });

  it('end at the first provisional day', () => {
    const doneDays = ['2023-12-01', '2024-01-05', '2024-01-11'].map(
      (provisionalFrom) => ledgerRows(SLICE, '', day(provisionalFrom), WRITTEN)[0]?.doneDay,
    );
    assert.deepEqual(doneDays, ['2024-01-01', '2024-01-05', '2024-01-11']);
  });

  it('leave incomplete days not done and count the reports of each part', () => {
    const reports = [
      at('2023-12-31T23:59:00Z'),
      at('2024-01-02T00:51:00Z'),
      at('2024-01-02T00:51:00Z'),
      at('2024-01-03T00:51:00Z'),
      at('2024-01-10T00:51:00Z'),
      at('2024-01-11T00:00:00Z'),
    ];
    const parts = splitAtIncompleteDays(SLICE, {
      reports,
      skipped: {},
      incompleteDays: [day('2024-01-03'), day('2024-01-10'), day('2024-01-03')],
    });
    const rows = ledgerRows(SLICE, '', FAR, { ...WRITTEN, parts });
    assert.deepEqual(
      rows.map(({ firstDay, doneDay, endDay, reports }) => [firstDay, doneDay, endDay, reports]),
      [
        ['2024-01-01', '2024-01-03', '2024-01-03', 2],
        ['2024-01-03', '2024-01-03', '2024-01-04', 1],
        ['2024-01-04', '2024-01-10', '2024-01-10', 0],
        ['2024-01-10', '2024-01-10', '2024-01-11', 2],
      ],
    );
    assert.deepEqual(
      rows.map(({ inserted, skipped }) => [inserted, skipped]),
      [
        [2, { 'cut short': 2 }],
        [0, {}],
        [0, {}],
        [0, {}],
      ],
    );
  });
});
