import assert from 'node:assert/strict';
import { readQuery } from '../../../../api/contract/query.ts';
import type { Preset } from '../../../../api/contract/values.ts';
import { STATISTICS as ENDPOINT, questionOf } from '../../../../api/statistics/endpoint.ts';
import { PRESETS } from '../../../../api/statistics/presets.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { insertRevisions } from '../../../../clickhouse/observations/insert.ts';
import { groupNames, NUMBER_FUNCTIONS, type Question } from '../../../../clickhouse/statistics/question.ts';
import { startApi, useApi } from '../../../support/api/api.ts';
import {
  chosen,
  describeStations,
  newMarks,
  put,
  retract,
  useArchive,
} from '../../../support/archive/archive.ts';
import { seededRandom } from '../../../support/random.ts';
import { repetitions, seeds } from '../../../support/repetitions.ts';
import { answerByDefinition, type OffsetOf, type Row } from '../../../support/statistics/oracle.ts';
import {
  randomDecoded,
  randomReports,
  STATIONS,
  type Station,
  standardShift,
  ZONES,
} from '../../../support/statistics/random-reports.ts';

type Random = () => number;

/** The parameters of a question, as a client writes them. */
type QuestionText = {
  readonly stations: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly select: string;
  readonly by?: string;
  readonly sample?: 'auto' | 'hourly' | 'all';
  readonly tz: string;
  readonly filter?: string;
};

const FIELDS = [
  ...['temp_c', 'dewp_c', 'wspd_kt', 'wgst_kt', 'visib_m', 'altim_hpa', 'slp_hpa', 'pcp1h_in', 'ceiling_ft'],
  'rh_pct',
];
const FUNCTIONS = [
  ...[...NUMBER_FUNCTIONS, 'median', 'p0', 'p5', 'p33', 'p95', 'p100', 'time_of_max', 'time_of_min'],
];
const VECTORS = ['resultant(wdir)', 'resultant(wspd_kt)', 'resultant_n'];
const CONDITIONS = [
  'visib_m < 800 OR ceiling_ft < 200',
  'ceiling_ft < 1000',
  'NOT (ceiling_ft < 1000) AND visib_m >= 5000',
  "wx LIKE '%TS%'",
  "wx IS NOT NULL AND wx LIKE '%FG%'",
  "fltcat = 'IFR'",
  'wgst_kt IS NULL',
  'temp_c BETWEEN -2.5 AND 3.5',
  'altim_hpa > 1000.2',
  "type = 'SPECI' OR wspd_kt >= 20",
];
const GROUPS = [
  ...['year', 'season', 'month', 'date', 'hour', 'fltcat'],
  ...['wind_sector(8)', 'wind_sector(12)', 'wind_sector(12;calm=4)', 'wind_sector(16)', 'wind_sector(36)'],
  ...['class(wspd_kt;5;10;20)', 'class(ceiling_ft;200;500;1000)', 'class(temp_c;-5;0;5.6;10)'],
];
const ASKED_ZONES = ['utc', 'local', 'standard', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham'];
const TIMES = [
  '2023-12-28T00:00:00Z',
  '2023-12-31T23:55:00Z',
  '2024-03-09T12:15:00Z',
  '2024-03-31T01:00:00Z',
  '2024-11-03T05:30:00Z',
  '2024-12-01T00:00:00Z',
];

function randomQuestion(random: Random): QuestionText {
  const below = (most: number) => Math.floor(random() * most);
  const some = (values: readonly string[], most: number) => [
    ...new Set(Array.from({ length: below(most + 1) }, () => values[below(values.length)] as string)),
  ];
  const from = below(TIMES.length - 1);
  const to = from + 1 + below(TIMES.length - 1 - from);
  const numbers = some(FIELDS, 4).map((field) => `${FUNCTIONS[below(FUNCTIONS.length)]}(${field})`);
  const conditions = some(CONDITIONS, 3).map(
    (condition, n) => `c${n}:${['share', 'count', 'days', 'hours'][below(4)]}(${condition})`,
  );
  const groups = some(GROUPS, 3).filter(
    (item, n, all) => all.findIndex((other) => other.split('(')[0] === item.split('(')[0]) === n,
  );
  const stations = some(STATIONS, 4);
  const [filter] = random() < 0.3 ? some(CONDITIONS, 1) : [];
  return {
    stations: stations.length === 0 ? ['XNYC'] : stations,
    from: TIMES[from] as string,
    to: TIMES[to] as string,
    select: ['count', ...numbers, ...conditions, ...some(VECTORS, 2)].join(','),
    by: groups.join(','),
    sample: (['auto', 'auto', 'hourly', 'all'] as const)[below(4)] ?? 'auto',
    tz: ASKED_ZONES[below(ASKED_ZONES.length)] as string,
    ...(filter !== undefined && { filter }),
  };
}

const RANK = 0x1_0000;
const RANGE = { from: '2023-12-01T00:00:00Z', to: '2024-12-31T00:00:00Z' };
const STATISTICS = '/v1/history/statistics';

for (const seed of seeds(10))
  describe(`statistics of reports are those of their definitions (D45), seed ${seed}`, () => {
    const archive = useArchive();
    let current: readonly Report[];
    before(async () => {
      const random = seededRandom(seed);
      const reports = randomReports(random);
      // Each in ten has a version that was replaced, and each in thirty is retracted.
      const replaced = reports.filter(() => random() < 0.1);
      const retracted = new Set(reports.filter(() => random() < 0.03));
      const revisions = chosen([
        ...replaced.map((report) => put({ ...report, decoded: randomDecoded(random, report) }, RANK)),
        ...reports.map((report) => put(report, RANK + 1)),
        ...[...retracted].map((report) => retract(report, RANK + 2)),
      ]);
      for (const version of [RANK, RANK + 1, RANK + 2])
        await insertRevisions(
          archive.client,
          revisions.filter((revision) => revision.version === version),
          newMarks(archive.client),
        );
      current = reports.filter((report) => !retracted.has(report));
      await describeStations(
        archive.client,
        STATIONS.map((station) => {
          const [, latitude, longitude] = ZONES[station];
          return { source: 'iem', station, position: { latitude, longitude } };
        }),
      );
    });
    const api = useApi(() => startApi(archive.client));

    async function assertSame(asked: QuestionText & { readonly preset?: string }) {
      const { stations, ...others } = asked;
      const query = new URLSearchParams({ stations: stations.join(), ...others });
      if (query.get('by') === '') query.delete('by');
      if (query.has('preset')) for (const name of ['select', 'by', 'sample']) query.delete(name);
      const rows = await api.rows<Row>(`${STATISTICS}?${query}`);
      const question = questionOf(readQuery(ENDPOINT, `${query}`).values);
      const expected = answerByDefinition(current, question, offsetsOf(asked.tz));
      const keysOf = (all: readonly Row[]) => new Set(all.map((row) => keyOf(row, question)));
      const [answered, defined] = [keysOf(rows), keysOf(expected)];
      const odd = [...answered, ...defined].filter((key) => !answered.has(key) || !defined.has(key));
      assert.equal(rows.length, expected.length, `${decodeURIComponent(`${query}`)} ${odd}`);
      for (const [n, row] of rows.entries())
        assert.ok(
          isSame(row, expected[n] as Row),
          `${decodeURIComponent(`${query}`)}\n${JSON.stringify(row)}\n${JSON.stringify(expected[n])}`,
        );
    }

    it('random questions', async () => {
      const random = seededRandom(seed);
      for (let n = 0; n < repetitions({ usual: 20, long: 300 }); n += 1)
        await assertSame(randomQuestion(random));
    }).timeout(300_000);

    for (const [preset] of Object.entries<Preset>(PRESETS).filter(([, { of }]) => of === undefined))
      it(`the preset ${preset}`, () =>
        assertSame({ stations: ['XDEL', 'XNYC'], ...RANGE, select: '', tz: 'local', preset }));
  });

/** A row's station and groups, and its values, which tell why it is there. */
function keyOf(row: Row, { groups }: Question): string {
  return JSON.stringify([row.station, ...groups.flatMap((group) => row[groupNames(group)[0] as string])]);
}

/** By ICU, at each time. */
function offsetsOf(tz: string): OffsetOf {
  if (tz === 'utc') return () => 0;
  if (tz === 'standard') return (station) => standardShift(ZONES[station as Station][0]);
  return (station, time) => offsetAt(tz === 'local' ? ZONES[station as Station][0] : tz, time);
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

function offsetAt(timeZone: string, time: number): number {
  const format =
    FORMATS.get(timeZone) ??
    new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  FORMATS.set(timeZone, format);
  return Date.parse(`${format.format(time * 1000).replace(' ', 'T')}Z`) / 1000 - time;
}

/** Sums of the same numbers in another order differ in their last digits. */
function isSame(row: Row, expected: Row): boolean {
  const names = Object.keys(row);
  return (
    names.length === Object.keys(expected).length &&
    names.every((name) => isSameValue(row[name], expected[name]))
  );
}

function isSameValue(value: unknown, expected: unknown): boolean {
  if (typeof value !== 'number' || typeof expected !== 'number') return value === expected;
  if (Object.is(value, -0) !== Object.is(expected, -0)) return false;
  return Math.abs(value - expected) <= 1e-9 * Math.max(1, Math.abs(value));
}
