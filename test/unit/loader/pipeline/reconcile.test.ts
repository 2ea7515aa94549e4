import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { fingerprint } from '../../../../clickhouse/model/fingerprint.ts';
import type { Source } from '../../../../clickhouse/model/report.ts';
import { rankOf } from '../../../../clickhouse/model/row-version.ts';
import type { StoredReport } from '../../../../clickhouse/observations/stored-reports.ts';
import type { NormalizedReport } from '../../../../loader/pipeline/normalize.ts';
import { type Change, reconcile as reconcileWith } from '../../../../loader/pipeline/reconcile.ts';
import { keywordOf, MinuteHistogram } from '../../../../loader/pipeline/report-type.ts';

const fetched = (raw: string, at: string, station = 'XAAA'): NormalizedReport => ({
  station,
  observedAt: Date.parse(at) / 1000,
  fingerprint: fingerprint(raw),
  raw,
  sentType: keywordOf(raw),
  nil: false,
});

const reconcile = (
  source: Source,
  reports: readonly NormalizedReport[],
  archive: readonly StoredReport[],
) => {
  const { changes, ...counted } = reconcileWith(source, reports, archive, { kind: 'settled' });
  return { changes: [...changes], ...counted };
};

/** The archive that follows from what it was and what is added. */
function apply(archive: readonly StoredReport[], changes: Iterable<Change>): readonly StoredReport[] {
  const keyOf = (row: Pick<StoredReport, 'station' | 'observedAt' | 'type' | 'fingerprint'>) =>
    `${row.observedAt} ${row.station} ${row.type} ${row.fingerprint}`;
  const rows = new Map(archive.map((row) => [keyOf(row), row]));
  for (const change of changes) {
    const row = change.kind === 'put' ? change.held : change.archived;
    const replaced = rows.get(keyOf(row));
    if (replaced !== undefined)
      assert.ok(change.version > replaced.version, 'a row that no reader would see');
    if (change.kind === 'retract') rows.delete(keyOf(row));
    else rows.set(keyOf(row), { ...change.held, version: change.version, decoder: 1, clean: true });
  }
  return [...rows.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const load = (archive: readonly StoredReport[], source: Source, ...reports: readonly NormalizedReport[]) =>
  apply(archive, reconcile(source, reports, archive).changes);

const texts = (archive: readonly StoredReport[]) =>
  archive.map(({ raw, type, source }) => `${type} by ${source}: ${raw}`);

/** Reports at :51 of every hour of a day. */
const day = (date: string, station = 'XAAA') =>
  Array.from({ length: 24 }, (_, hour) => {
    const two = String(hour).padStart(2, '0');
    return fetched(`${station} ${date.slice(8)}${two}51Z 18004KT`, `${date}T${two}:51:00Z`, station);
  });

describe('reconciling what a source sent with the archive', () => {
  it('adds what is not there, and nothing the second time', () => {
    const reports = [...day('2024-01-01'), fetched('XAAA 010103Z 18004KT', '2024-01-01T01:03:00Z')];
    const first = reconcile('iem', reports, []);
    assert.deepEqual([first.reports, first.inserted, first.changes.length], [25, 25, 25]);
    const second = reconcile('iem', reports, apply([], first.changes));
    assert.deepEqual(second, { changes: [], reports: 25, inserted: 0 });
  });

  it('holds a report once that a source sent twice, with the longer text, then the first in byte order (D4)', () => {
    const at = '2024-01-01T00:51:00Z';
    const twice = [
      'XAAA 010051Z 18004KT',
      'XAAA 010051Z 18004KT $',
      'XAAA 010051Z 18004KT,$'.replace(',', '='),
    ];
    for (const order of [twice, twice.toReversed()])
      assert.deepEqual(texts(load([], 'iem', ...order.map((raw) => fetched(raw, at)))), [
        'METAR by iem: XAAA 010051Z 18004KT $',
      ]);
  });

  it('tells reports of one fingerprint apart by their station and minute', () => {
    const first = fetched('XAAA 010051Z 18004KT', '2024-01-01T00:51:00Z');
    const alike = [
      first,
      { ...first, observedAt: first.observedAt + 3600 },
      { ...first, station: 'XBBB' },
      { ...first, station: 'XBBB', observedAt: first.observedAt + 3600 },
    ];
    const once = reconcile('iem', [...alike, ...alike], []);
    assert.deepEqual([once.reports, once.inserted, once.changes.length], [4, 4, 4]);
    assert.deepEqual(reconcile('iem', alike, apply([], once.changes)).changes, []);
  });

  it('keeps a correction beside its original (D6)', () => {
    const at = '2024-01-01T00:51:00Z';
    const both = load(
      [],
      'ogimet',
      fetched('METAR XAAA 010051Z 18004KT', at),
      fetched('METAR XAAA 010051Z COR 18014KT', at),
    );
    assert.equal(both.length, 2);
  });

  it('lets the more faithful source win, whichever came first (D4)', () => {
    const at = '2024-01-01T00:51:00Z';
    const iem = fetched('XAAA 010051Z 18004KT', at);
    const ogimet = fetched('SPECI XAAA 010051Z 18004KT', at);
    const wanted = ['SPECI by ogimet: SPECI XAAA 010051Z 18004KT'];
    assert.deepEqual(texts(load(load([], 'iem', iem), 'ogimet', ogimet)), wanted);
    assert.deepEqual(texts(load(load([], 'ogimet', ogimet), 'iem', iem)), wanted);
  });

  it('takes the report out of its old type in the same breath', () => {
    const at = '2024-01-01T00:51:00Z';
    const archive = load([], 'iem', fetched('XAAA 010051Z 18004KT', at));
    const { changes } = reconcile('ogimet', [fetched('SPECI XAAA 010051Z 18004KT', at)], archive);
    assert.deepEqual(
      changes.map(({ kind, version }) => [kind, version]),
      [
        ['retract', rankOf('ogimet') << 16],
        ['put', rankOf('ogimet') << 16],
      ],
    );
  });

  it('infers the type from the minutes of the station’s calendar year', () => {
    const odd = fetched('XAAA 010103Z 18004KT', '2024-01-01T01:03:00Z');
    const archive = load([], 'iem', ...day('2024-01-01'), odd);
    assert.deepEqual(
      archive.filter(({ type }) => type === 'SPECI').map(({ raw }) => raw),
      [odd.raw],
    );
  });

  it('does not let one year or one station type another', () => {
    const archive = load(
      [],
      'iem',
      ...day('2024-01-01'),
      fetched('XAAA 010103Z 18004KT', '2025-01-01T01:03:00Z'),
    );
    assert.deepEqual(new Set(archive.map(({ type }) => type)), new Set(['METAR']));
    assert.deepEqual(
      new Set(
        load(archive, 'iem', fetched('XAAB 010103Z 18004KT', '2024-01-01T01:03:00Z', 'XAAB')).map(
          ({ type }) => type,
        ),
      ),
      new Set(['METAR']),
    );
  });

  it('leaves a SPECI by keyword out of the minutes that count', () => {
    const specials = Array.from({ length: 5 }, (_, at) =>
      fetched(`SPECI XAAA 010${at}03Z 18004KT`, `2024-01-01T0${at}:03:00Z`),
    );
    const archive = load(
      [],
      'ogimet',
      ...day('2024-01-01'),
      ...specials,
      fetched('XAAA 011003Z', '2024-01-01T10:03:00Z'),
    );
    assert.equal(archive.filter(({ type }) => type === 'SPECI').length, 6);
  });

  it('corrects the types of reports that were loaded before', () => {
    const alone = fetched('XAAA 010103Z 18004KT', '2024-01-01T01:03:00Z');
    const first = load([], 'iem', alone);
    assert.deepEqual(texts(first), ['METAR by iem: XAAA 010103Z 18004KT']);
    const { changes, inserted } = reconcile('iem', day('2024-06-01'), first);
    assert.equal(inserted, 24);
    assert.equal(changes.filter(({ kind }) => kind === 'retract').length, 1);
  });

  it('ends in the same archive however a year is cut into pieces and in whatever order they come', () => {
    const minutes = fc.constantFrom('51', '51', '51', '51', '20', '03', '37');
    const source = fc.constantFrom<Source>('iem', 'ogimet');
    const piece = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 28 }), minutes, source, fc.constantFrom('', 'METAR ', 'SPECI ')),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const loads = pieces.flat().map(([date, minute, from, keyword]) => {
          const two = String(date).padStart(2, '0');
          return [
            from,
            fetched(`${keyword}XAAA ${two}00${minute}Z 18004KT`, `2024-01-${two}T00:${minute}:00Z`),
          ] as const;
        });
        const inPieces = loads.reduce<readonly StoredReport[]>(
          (archive, [from, report]) => load(archive, from, report),
          [],
        );
        const atOnce = (['iem', 'ogimet'] as const).reduce<readonly StoredReport[]>(
          (archive, from) =>
            load(archive, from, ...loads.flatMap(([source, report]) => (source === from ? [report] : []))),
          [],
        );
        assert.deepEqual(texts(inPieces), texts(atOnce));
      }),
    );
  });

  it('heals a report that two loaders left under both types', () => {
    const at = '2024-01-01T00:51:00Z';
    const [row] = load([], 'iem', fetched('XAAA 010051Z 18004KT', at));
    assert.ok(row);
    const both: StoredReport[] = [row, { ...row, type: 'SPECI' }];
    assert.deepEqual(texts(load(both, 'iem')), ['METAR by iem: XAAA 010051Z 18004KT']);
  });

  it('keeps a type once given while types are provisional, and settles them over the whole year', () => {
    const minutes = new MinuteHistogram();
    const provisional = (archive: readonly StoredReport[], ...reports: readonly NormalizedReport[]) => {
      for (const report of reports) minutes.add(report);
      const typing = { kind: 'provisional', isMetar: minutes.judge() } as const;
      return apply(archive, reconcileWith('iem', reports, archive, typing).changes);
    };
    const early = fetched('XAAA 010003Z 18004KT', '2024-01-01T00:03:00Z');
    const late = fetched('XAAA 030003Z 18004KT', '2024-01-03T00:03:00Z');
    const archive = provisional(provisional(provisional([], early), ...day('2024-01-02')), late);
    const typeOf = ({ observedAt }: NormalizedReport) =>
      archive.find((row) => row.observedAt === observedAt)?.type;
    assert.deepEqual([typeOf(early), typeOf(late)], ['METAR', 'SPECI']);
    assert.deepEqual(provisional(archive, early, ...day('2024-01-02'), late), archive);
    const settled = apply(archive, reconcile('iem', [], archive).changes);
    assert.deepEqual(texts(settled), texts(load([], 'iem', early, ...day('2024-01-02'), late)));
  });
});
