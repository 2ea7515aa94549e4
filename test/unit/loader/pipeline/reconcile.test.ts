import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fingerprint, type Source } from '../../../../clickhouse/model/report.ts';
import { ARCHIVE_TIMES } from '../../../../clickhouse/model/time-window.ts';
import type { Revision } from '../../../../clickhouse/observations/insert.ts';
import type { StoredReport } from '../../../../clickhouse/observations/stored-reports.ts';
import type { NormalizedReport } from '../../../../loader/pipeline/normalize.ts';
import { reconcile as reconcileWith } from '../../../../loader/pipeline/reconcile.ts';
import { MinuteHistogram } from '../../../../loader/pipeline/report-type.ts';
import { keywordOf } from '../../../../loader/sources/format.ts';
import { rankOfText } from '../../../../loader/sources/registry.ts';

const normalized = (raw: string, at: string, station = 'XAAA'): NormalizedReport => ({
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
  const { revisions, ...counts } = reconcileWith(source, reports, archive, ARCHIVE_TIMES);
  return { revisions: [...revisions], ...counts };
};

/** The archive after the revisions. */
function apply(archive: readonly StoredReport[], revisions: Iterable<Revision>): readonly StoredReport[] {
  const keyOf = (row: Pick<StoredReport, 'station' | 'observedAt' | 'type' | 'fingerprint'>) =>
    `${row.observedAt} ${row.station} ${row.type} ${row.fingerprint}`;
  const rows = new Map(archive.map((row) => [keyOf(row), row]));
  for (const revision of revisions) {
    const row = revision.kind === 'put' ? revision.report : revision.archived;
    const replaced = rows.get(keyOf(row));
    if (replaced !== undefined) assert.ok(revision.version > replaced.version, 'no reader would see the row');
    if (revision.kind === 'retract') rows.delete(keyOf(row));
    else {
      const { report, version, counts } = revision;
      rows.set(keyOf(row), { ...report, version, counts });
    }
  }
  return [...rows.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const load = (archive: readonly StoredReport[], source: Source, ...reports: readonly NormalizedReport[]) =>
  apply(archive, reconcile(source, reports, archive).revisions);

const texts = (archive: readonly StoredReport[]) =>
  archive.map(({ raw, type, source }) => `${type} by ${source}: ${raw}`);

/** Reports at :51 of every hour of a day. */
const day = (date: string, station = 'XAAA') =>
  Array.from({ length: 24 }, (_, hour) => {
    const two = String(hour).padStart(2, '0');
    return normalized(`${station} ${date.slice(8)}${two}51Z 18004KT`, `${date}T${two}:51:00Z`, station);
  });

describe('reconciliation of a source with the archive', () => {
  it('adds missing reports, and nothing the second time', () => {
    const reports = [...day('2024-01-01'), normalized('XAAA 010103Z 18004KT', '2024-01-01T01:03:00Z')];
    const first = reconcile('iem', reports, []);
    assert.deepEqual([first.reports, first.inserted, first.revisions.length], [25, 25, 25]);
    assert.deepEqual([first.lacking.length, first.known], [25, []]);
    const later = { ...normalized('XAAA 020051Z NIL', '2024-01-02T00:51:00Z'), nil: true };
    const archive = load(apply([], first.revisions), 'iem', later);
    const second = reconcile('iem', [...reports, later], archive);
    assert.deepEqual([second.reports, second.inserted, second.revisions], [26, 0, []]);
    const timesOf = (some: readonly { readonly observedAt: number }[]) =>
      some.map(({ observedAt }) => observedAt).sort();
    assert.deepEqual(
      [second.lacking, timesOf(second.known)],
      [[], timesOf(reports)],
      'a NIL report has no hour',
    );
  });

  it('keeps a report that a source sent twice once: the longer text, then the first in byte order (D4)', () => {
    const at = '2024-01-01T00:51:00Z';
    const twice = ['XAAA 010051Z 18004KT', 'XAAA 010051Z 18004KT $', 'XAAA 010051Z 18004KT=$'];
    for (const order of [twice, twice.toReversed()])
      assert.deepEqual(texts(load([], 'iem', ...order.map((raw) => normalized(raw, at)))), [
        'METAR by iem: XAAA 010051Z 18004KT $',
      ]);
  });

  it('distinguishes reports with one fingerprint by station and minute', () => {
    const first = normalized('XAAA 010051Z 18004KT', '2024-01-01T00:51:00Z');
    const sameBody = [
      first,
      { ...first, observedAt: first.observedAt + 3600 },
      { ...first, station: 'XBBB' },
      { ...first, station: 'XBBB', observedAt: first.observedAt + 3600 },
    ];
    const once = reconcile('iem', [...sameBody, ...sameBody], []);
    assert.deepEqual([once.reports, once.inserted, once.revisions.length], [4, 4, 4]);
    assert.deepEqual(reconcile('iem', sameBody, apply([], once.revisions)).revisions, []);
  });

  it('keeps a correction and its original (D6)', () => {
    const at = '2024-01-01T00:51:00Z';
    const both = ['METAR XAAA 010051Z 18004KT', 'METAR XAAA 010051Z COR 18014KT'];
    assert.equal(load([], 'ogimet', ...both.map((raw) => normalized(raw, at))).length, 2);
  });

  it('keeps the text of the more faithful source, whichever is loaded first (D4)', () => {
    const at = '2024-01-01T00:51:00Z';
    const iem = normalized('XAAA 010051Z 18004KT', at);
    const ogimet = normalized('SPECI XAAA 010051Z 18004KT', at);
    const expected = ['SPECI by ogimet: SPECI XAAA 010051Z 18004KT'];
    assert.deepEqual(texts(load(load([], 'iem', iem), 'ogimet', ogimet)), expected);
    assert.deepEqual(texts(load(load([], 'ogimet', ogimet), 'iem', iem)), expected);
  });

  it('retracts a report from its old type in the same insert', () => {
    const at = '2024-01-01T00:51:00Z';
    const archive = load([], 'iem', normalized('XAAA 010051Z 18004KT', at));
    const { revisions } = reconcile('ogimet', [normalized('SPECI XAAA 010051Z 18004KT', at)], archive);
    assert.deepEqual(
      revisions.map(({ kind, version }) => [kind, version >> 24]),
      [
        ['retract', rankOfText('ogimet')],
        ['put', rankOfText('ogimet')],
      ],
    );
  });

  it('infers the type from the minutes of the station’s calendar year', () => {
    const odd = normalized('XAAA 010103Z 18004KT', '2024-01-01T01:03:00Z');
    const archive = load([], 'iem', ...day('2024-01-01'), odd);
    assert.deepEqual(
      archive.filter(({ type }) => type === 'SPECI').map(({ raw }) => raw),
      [odd.raw],
    );
  });

  it('infers types for each station and year separately', () => {
    const otherYear = normalized('XAAA 010103Z 18004KT', '2025-01-01T01:03:00Z');
    const otherStation = normalized('XAAB 010103Z 18004KT', '2024-01-01T01:03:00Z', 'XAAB');
    const archive = load([], 'iem', ...day('2024-01-01'), otherYear);
    for (const reports of [archive, load(archive, 'iem', otherStation)])
      assert.deepEqual(new Set(reports.map(({ type }) => type)), new Set(['METAR']));
  });

  it('does not count reports sent as SPECI', () => {
    const specials = Array.from({ length: 5 }, (_, at) =>
      normalized(`SPECI XAAA 010${at}03Z 18004KT`, `2024-01-01T0${at}:03:00Z`),
    );
    const other = normalized('XAAA 011003Z', '2024-01-01T10:03:00Z');
    const archive = load([], 'ogimet', ...day('2024-01-01'), ...specials, other);
    assert.equal(archive.filter(({ type }) => type === 'SPECI').length, 6);
  });

  it('corrects the inferred types of stored reports', () => {
    const alone = normalized('XAAA 010103Z 18004KT', '2024-01-01T01:03:00Z');
    const first = load([], 'iem', alone);
    assert.deepEqual(texts(first), ['METAR by iem: XAAA 010103Z 18004KT']);
    const { revisions, inserted } = reconcile('iem', day('2024-06-01'), first);
    assert.equal(inserted, 24);
    assert.equal(revisions.filter(({ kind }) => kind === 'retract').length, 1);
  });

  it('gives the same archive for every split of a year into loads and every order of them', () => {
    const minutes = fc.constantFrom('51', '51', '51', '51', '20', '03', '37');
    const source = fc.constantFrom<Source>('iem', 'ogimet');
    const part = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 28 }), minutes, source, fc.constantFrom('', 'METAR ', 'SPECI ')),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const loads = parts.flat().map(([date, minute, from, keyword]) => {
          const two = String(date).padStart(2, '0');
          return [
            from,
            normalized(`${keyword}XAAA ${two}00${minute}Z 18004KT`, `2024-01-${two}T00:${minute}:00Z`),
          ] as const;
        });
        const inParts = loads.reduce<readonly StoredReport[]>(
          (archive, [from, report]) => load(archive, from, report),
          [],
        );
        const atOnce = (['iem', 'ogimet'] as const).reduce<readonly StoredReport[]>(
          (archive, from) =>
            load(archive, from, ...loads.flatMap(([source, report]) => (source === from ? [report] : []))),
          [],
        );
        assert.deepEqual(texts(inParts), texts(atOnce));
      }),
    );
  });

  it('counts no report that is NIL by the present decoder, whatever an older one has stored', () => {
    const nil = { ...normalized('XAAA 010051Z NIL', '2024-01-01T00:51:00Z'), nil: true };
    const outdated = load([], 'iem', nil).map((row): StoredReport => ({ ...row, counts: 'hour' }));
    assert.deepEqual(
      load(outdated, 'iem').map(({ counts }) => counts),
      ['no'],
    );
  });

  it('removes a type conflict that two loaders have left', () => {
    const at = '2024-01-01T00:51:00Z';
    const [row] = load([], 'iem', normalized('XAAA 010051Z 18004KT', at));
    assert.ok(row);
    const both: StoredReport[] = [row, { ...row, type: 'SPECI' }];
    assert.deepEqual(texts(load(both, 'iem')), ['METAR by iem: XAAA 010051Z 18004KT']);
  });

  it('keeps provisional types until they are inferred from the whole year', () => {
    const minutes = new MinuteHistogram();
    const provisional = (archive: readonly StoredReport[], ...reports: readonly NormalizedReport[]) => {
      for (const report of reports) minutes.add(report);
      const typing = minutes.inference();
      return apply(archive, reconcileWith('iem', reports, archive, typing).revisions);
    };
    const early = normalized('XAAA 010003Z 18004KT', '2024-01-01T00:03:00Z');
    const late = normalized('XAAA 030003Z 18004KT', '2024-01-03T00:03:00Z');
    const archive = provisional(provisional(provisional([], early), ...day('2024-01-02')), late);
    const typeOf = ({ observedAt }: NormalizedReport) =>
      archive.find((row) => row.observedAt === observedAt)?.type;
    assert.deepEqual([typeOf(early), typeOf(late)], ['METAR', 'SPECI']);
    assert.deepEqual(provisional(archive, early, ...day('2024-01-02'), late), archive);
    const final = apply(archive, reconcile('iem', [], archive).revisions);
    assert.deepEqual(texts(final), texts(load([], 'iem', early, ...day('2024-01-02'), late)));
  });
});
