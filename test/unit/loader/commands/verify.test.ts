import assert from 'node:assert/strict';
import { fingerprint, versionAbove } from '../../../../clickhouse/model/report.ts';
import { yearWindow } from '../../../../clickhouse/model/time-window.ts';
import type { StoredReport } from '../../../../clickhouse/observations/stored-reports.ts';
import { compare } from '../../../../loader/commands/verify.ts';
import type { NormalizedReport } from '../../../../loader/pipeline/normalize.ts';
import { keywordOf } from '../../../../loader/sources/format.ts';
import { rankOfText } from '../../../../loader/sources/registry.ts';

const DAY = Date.UTC(2024, 0, 1) / 1000;
const WINDOW = { from: DAY, to: DAY + 86_400 };
const textAt = (hour: number, keyword = '') =>
  `${keyword}KJFK 01${String(hour).padStart(2, '0')}51Z 18010KT 10SM CLR 10/05 A3002`;
const fetched = (hour: number, raw = textAt(hour)): NormalizedReport => ({
  station: 'KJFK',
  observedAt: DAY + hour * 3600 + 51 * 60,
  fingerprint: fingerprint(raw),
  raw,
  sentType: keywordOf(raw),
  nil: false,
});
const archived = (hour: number, about: Partial<StoredReport> = {}): StoredReport => {
  const { sentType, ...held } = fetched(hour, about.raw);
  const source = about.source ?? 'iem';
  return {
    ...held,
    type: 'METAR',
    source,
    version: versionAbove(rankOfText(source)),
    counts: 'hour',
    ...about,
  };
};
const HOURS = [3, 4, 5, 6];
const FINAL = yearWindow(2024);
const kinds = (sent: readonly NormalizedReport[], held: readonly StoredReport[]) =>
  compare('iem', { fetched: sent, stored: held, typePolicy: FINAL, window: WINDOW }).differences.map(
    ({ kind, raw }) => [kind, raw],
  );

describe('comparison of a source with the archive', () => {
  it('finds no difference when every report is stored with its text and type', () => {
    const sent = HOURS.map((hour) => fetched(hour));
    const held = HOURS.map((hour) => archived(hour));
    assert.deepEqual(compare('iem', { fetched: sent, stored: held, typePolicy: FINAL, window: WINDOW }), {
      reports: 4,
      differences: [],
    });
    assert.deepEqual(kinds([...sent, fetched(3)], held), []);
  });

  it('ignores reports of other sources, and those within an hour of the edge of the slice', () => {
    const sent = HOURS.map((hour) => fetched(hour));
    // 00:51 is within the first hour, 23:51 within the last.
    const others = [archived(8, { source: 'ogimet' }), archived(23), archived(0)];
    assert.deepEqual(kinds(sent, [...HOURS.map((hour) => archived(hour)), ...others]), []);
  });

  it('finds a better text of the same source', () => {
    const long = `${textAt(3)} $`;
    assert.deepEqual(kinds([fetched(3, long)], [archived(3)]), [['other text', long]]);
    assert.deepEqual(kinds([fetched(3)], [archived(3, { raw: long })]), []);
  });

  it('accepts the text of a more faithful source, and not that of a less faithful one (D4)', () => {
    const raw = textAt(3, 'METAR ');
    assert.deepEqual(kinds([fetched(3)], [archived(3, { raw, source: 'ogimet' })]), []);
    assert.deepEqual(kinds([fetched(3)], [archived(3, { source: 'demo' })]), [['other text', textAt(3)]]);
  });

  it('finds a report with another type', () => {
    assert.deepEqual(kinds([fetched(3)], [archived(3, { type: 'SPECI' })]), [['other type', textAt(3)]]);
  });
});
