import assert from 'node:assert/strict';
import { conditionSql } from '../../../../clickhouse/conditions/condition.ts';
import { parseCondition } from '../../../../clickhouse/conditions/parse-condition.ts';
import type { Decoded } from '../../../../clickhouse/model/fields.ts';
import { POINT_READ, selectRows } from '../../../../clickhouse/statements/select.ts';
import { SqlParameters } from '../../../../clickhouse/statements/sql.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { judge } from '../../../support/conditions/judge.ts';
import { RandomConditions } from '../../../support/conditions/random-conditions.ts';
import { randomDecoded } from '../../../support/conditions/random-decoded.ts';
import { seededRandom } from '../../../support/random.ts';
import { repetitions, seeds } from '../../../support/repetitions.ts';

type Sky = Pick<Decoded, 'clouds' | 'cavok'>;
const sky = (given: Partial<Sky>) => ({ cavok: false, ...given });

/** Decoded fields of one report, and what a condition says of it: what the random ones below do not reach. */
const CASES: readonly (readonly [fields: Partial<Decoded>, condition: string, truth: boolean | null])[] = [
  [{ temp_c: '-0.6' }, 'temp_c = -0.6', true],
  // M00 is below 0 (D62): `minus-zero.test.ts` has more of it.
  [{ temp_c: '-0' }, 'temp_c < 0 AND temp_c > -0.1', true],
  [{ dewp_c: '-0' }, 'dewp_c IN (0)', false],
  [{}, 'temp_c NOT IN (12, 13)', null],
  [{}, 'temp_c IS NULL', true],
  [{}, 'temp_c = 12 AND dewp_c IS NOT NULL', false],
  [{}, 'NOT (temp_c = 12)', null],
  [{ wspd_kt: 5 }, 'wspd_kt < 5.5 AND wspd_kt > 4.5', true],
  [{ altim_inhg: 29.92 }, 'altim_inhg = 29.92', true],
  [{ altim_inhg: 29.92 }, 'altim_inhg IN (29.92, 1)', true],
  [{ visib_sm: 0.1 }, 'visib_sm <= 0.1', true],
  [{ wx: '-RA BR' }, "wx LIKE '-RA_BR'", true],
  [{ wx: '-RA BR' }, "wx LIKE '-ra_br'", false],
  [{ wx: 'A%B' }, "wx LIKE 'A\\%B'", true],
  [{ wx: 'AxB' }, "wx LIKE 'A\\%B'", false],
  [{ wx: 'A_B' }, "wx LIKE 'A\\_B'", true],
  [{ wx: 'AxB' }, "wx LIKE 'A\\_B'", false],
  [{ wx: 'A\\B' }, "wx LIKE 'A\\\\B'", true],
  [{ wx: 'A\\B' }, "wx = 'A\\B'", true],
  [{ wx: 'é😀' }, "wx LIKE '__'", true],
  [{ wx: "it's" }, "wx = 'it''s'", true],
  [{ wx: 'a\tb\\n' }, "wx = 'a\tb\\n'", true],
  [{ wx: '(.*)' }, "wx LIKE '(.*)'", true],
  [{ wx: 'abc' }, "wx LIKE '(.*)'", false],
  [{}, "wx LIKE '%'", null],
  [{ fltcat: 'IFR' }, "fltcat LIKE '%VFR'", false],
  [{}, 'auto = TRUE', null],
  // Derived fields are stored: `derived-fields.test.ts` has more of them.
  [sky({ clouds: [{ cover: 'BKN', base_ft: 900 }] }), 'ceiling_ft = 900', true],
  [sky({ clouds: [{ cover: 'VV' }] }), 'ceiling_ft < 100', null],
  [sky({ clouds: [{ cover: 'FEW', base_ft: 100 }] }), 'ceiling_ft > 99999999999', true],
  [sky({ clouds: [{ cover: 'CLR' }] }), 'ceiling_ft >= 200', true],
  [sky({ clouds: [{ cover: 'CLR' }] }), 'ceiling_ft BETWEEN 0 AND 99999', false],
  [sky({ clouds: [{ cover: 'CLR' }] }), 'ceiling_ft IS NULL', false],
  [sky({ clouds: [{ cover: 'CLR' }] }), 'ceiling_ft IN (0, 200)', false],
  [sky({}), 'ceiling_ft < 1000', null],
  // 20 °C and 12 °C give 60.0 % by the Magnus formula.
  [{ temp_c: '20', dewp_c: '12' }, 'rh_pct = 60', true],
  // As meters and as feet.
  [{ rvr: [{ rwy: '22', min_m: 350 }] }, 'rvr_min_m = 350', true],
  [{ rvr: [{ rwy: '04', min_ft: 1200 }] }, 'rvr_min_m = 366', true],
  [{ rvr: [{ rwy: '04' }] }, 'rvr_min_m < 9999', null],
  // Less than a quarter of a mile, 402 m (D79).
  ...marked({ visib_sm: 0.25, visib_m: 402, visib_mod: 'M' }, [
    [true, 'visib_sm < 0.25', 'visib_m <= 402', 'visib_m <> 402', 'visib_m < 402.5', 'NOT visib_m = 500'],
    [false, 'visib_m > 402', 'visib_sm >= 0.25', 'visib_m = 402', 'visib_m IS NULL', 'visib_m IN (402, 800)'],
    [null, 'visib_m < 350', 'visib_m > 350', 'visib_m = 350', 'visib_m <> 0', 'visib_m IN (350, 800)'],
    [null, 'visib_m BETWEEN 300 AND 500', 'NOT visib_m <= 401'],
  ]),
  ...marked({ visib_sm: 6, visib_m: 9656, visib_mod: 'P' }, [
    [true, 'visib_sm > 6', 'visib_m >= 5000', 'visib_m <> 9656'],
    [false, 'visib_m < 8000', 'visib_sm <= 6', 'visib_sm = 6'],
    [null, 'visib_sm >= 7', 'visib_m < 10000', 'visib_m = 9999'],
  ]),
  ...marked({ wspd_kt: 99, wspd_above: true, wgst_kt: 99, wgst_above: true }, [
    [true, 'wspd_kt > 99', 'wgst_kt > 99'],
    [null, 'wspd_kt > 100', 'wgst_kt BETWEEN 90 AND 120'],
  ]),
  ...marked(
    {
      rvr: [
        { rwy: '04', min_m: 600 },
        { rwy: '22', min_m: 50, max_m: 800, mod: 'M' },
      ],
    },
    [
      [true, 'rvr_min_m < 50'],
      [false, 'rvr_min_m >= 50'],
      [null, 'rvr_min_m < 49', 'rvr_min_m > 25'],
    ],
  ),
  ...marked({ rvr: [{ rwy: '04', min_m: 2000, mod: 'P' }] }, [
    [true, 'rvr_min_m > 2000'],
    [false, 'rvr_min_m IN (2000)'],
    [null, 'rvr_min_m <= 2001'],
  ]),
  [{ rvr: [{ rwy: '04', min_m: 600, max_m: 2000, mod: 'P' }] }, 'rvr_min_m = 600', true],
  [
    {
      rvr: [
        { rwy: '04', min_m: 2000, mod: 'P' },
        { rwy: '22', min_m: 2000 },
      ],
    },
    'rvr_min_m = 2000',
    true,
  ],
  // Other units (D83): the value is compared, and not the column converted.
  ...marked({ temp_c: '30', dewp_c: '30.1' }, [
    [true, 'temp_f >= 86', 'temp_f = 86', 'temp_k = 303.15', 'dewp_f = 86.18', 'temp_f IN (86)'],
    [false, 'temp_f > 86', 'temp_f < 86', 'dewp_f > 86.18', 'dewp_k < 303.25'],
  ]),
  // M00 (D62), which is below 32 °F too.
  ...marked({ temp_c: '-0' }, [[true, 'temp_f < 32', 'temp_f > 31.8']]),
  ...marked({ wspd_kt: 10, pcp1h_in: 0.01, snow_in: 1, slp_hpa: 1013.2, sun_min: 90 }, [
    [true, 'wspd_kmh = 18.52', 'wspd_ms > 5.1444', 'wspd_ms < 5.1445', 'wspd_mph > 11.5', 'sun_h = 1.5'],
    [true, 'pcp1h_mm = 0.254', 'snow_cm BETWEEN 2.54 AND 2.54', 'slp_kpa = 101.32', 'slp_mmhg > 759.9'],
    [false, 'wspd_kmh <> 18.52', 'pcp1h_mm > 0.254', 'snow_mm < 25.4'],
    [null, 'wgst_ms > 1', 'pcp3h_mm = 0'],
  ]),
  // A sky without a ceiling, and a visibility below a quarter of a mile.
  ...marked({ cavok: true }, [[true, 'ceiling_m > 3000']]),
  ...marked({ visib_sm: 0.25, visib_m: 402, visib_mod: 'M' }, [
    [true, 'visib_km <= 0.402', 'visib_km < 1'],
    [null, 'visib_km < 0.35', 'visib_ft < 1000'],
  ]),
  // A report in meters and hectopascals has miles and inches, where it is asked for them.
  ...marked({ visib_m: 4828, altim_hpa: 1013 }, [
    [true, 'visib_sm < 3', 'altim_inhg > 29.9', 'altim_inhg < 29.92', 'visib_sm IS NOT NULL'],
    [false, 'visib_sm >= 3', 'altim_inhg = 29.92'],
  ]),
  ...marked({ visib_sm: 3, visib_m: 4828, altim_inhg: 29.92, altim_hpa: 1013.2 }, [
    [true, 'visib_sm = 3', 'altim_inhg = 29.92'],
    [false, 'visib_sm < 3'],
  ]),
  // The wind along a runway (D82).
  ...marked({ wdir: 70, wspd_kt: 20, wgst_kt: 30 }, [
    [true, 'crosswind(40) = 10', 'crosswind(100.0) = 10', 'crosswind(40;gust) = 15', 'headwind(70) = 20'],
    [true, 'headwind(250) = -20', 'tailwind(250) = 20', 'tailwind(70) < 0', 'crosswind(340) = 20'],
    [
      true,
      'headwind(340) = 0',
      'tailwind(160) = 0',
      'crosswind_kmh(40) = 18.52',
      'crosswind( 040 ; gust ) > 14',
    ],
    [false, 'crosswind(40) > 10', '10 < crosswind(40)', 'headwind_ms(250) > 0'],
  ]),
  ...marked({ wdir: 360, wspd_kt: 10 }, [
    [true, 'headwind(360) = 10', 'headwind(0) = 10', 'crosswind(90;gust) = 10'],
  ]),
  ...marked({ wdir: 0, wspd_kt: 0 }, [
    [true, 'crosswind(40) = 0', 'headwind(40;gust) = 0', 'tailwind(40) >= 0'],
  ]),
  ...marked({ wdir_vrb: true, wspd_kt: 3 }, [[null, 'crosswind(40) < 90', 'tailwind(40;gust) < 90']]),
  ...marked({ wspd_kt: 3 }, [[true, 'crosswind(40) IS NULL']]),
  ...marked({ wdir: 40 }, [[true, 'headwind(40) IS NULL']]),
  ...marked({ wdir: 40, wspd_kt: 99, wspd_above: true }, [
    [true, 'headwind(40) > 99', 'tailwind(40) < -99', 'crosswind(130) > 99', 'crosswind(40) = 0'],
    [null, 'headwind(40) > 100', 'tailwind(40) < -100', 'crosswind(130;gust) > 100'],
    [false, 'headwind(40) < 99', 'tailwind(40) > 0'],
  ]),
];

function marked(fields: Partial<Decoded>, truths: readonly (readonly [boolean | null, ...string[]])[]) {
  return truths.flatMap(([truth, ...conditions]) => conditions.map((each) => [fields, each, truth] as const));
}

const START = Date.parse('2024-01-01T00:00:00Z') / 1000;

describe('a condition over the archive', () => {
  const archive = useArchive();
  const at = (n: number) => new Date((START + n * 60) * 1000).toISOString();

  /** What the engine says of the reports of a station, by minute. */
  async function truthsOf(text: string, station: string, settings = POINT_READ) {
    const parameters = new SqlParameters('filter');
    const query = `SELECT toInt32((toUnixTimestamp(observedAt) - ${START}) / 60) AS n, toInt8(${conditionSql(parseCondition(text), parameters)}) AS truth
      FROM observations WHERE station = '${station}' ORDER BY n`;
    const rows = await selectRows<{ n: number; truth: number | null }>(archive.client, {
      query,
      params: parameters.values,
      settings,
    });
    return rows.map(({ truth }) => (truth === null ? null : truth === 1));
  }

  describe('case by case', () => {
    before(async () => {
      const reports = CASES.map(([fields], n) =>
        report({ at: at(n), decoded: { cavok: false, ...fields } as Decoded }),
      );
      const unclean = report({
        at: at(0),
        station: 'XBBB',
        clean: false,
        decoded: { temp_c: '12', cavok: true },
      });
      await insert(archive.client, ...[...reports, unclean].map((each) => put(each)));
    });

    it('is true, false or unknown', async () => {
      for (const [n, [fields, condition, truth]] of CASES.entries())
        assert.equal(
          (await truthsOf(condition, 'XAAA'))[n],
          truth,
          `${condition} of ${JSON.stringify(fields)}`,
        );
    });

    it('knows no field of a report that did not parse cleanly but its type and text', async () => {
      for (const [condition, truth] of [
        ['temp_c = 12', null],
        ['temp_c IS NULL', true],
        ['cavok = TRUE', null],
        ['ceiling_ft > 0', null],
        ["type = 'METAR'", true],
        ["raw LIKE '%CAVOK%'", true],
      ] as const)
        assert.deepEqual(await truthsOf(condition, 'XBBB'), [truth], condition);
    });

    it('reads only the columns that it names', async () => {
      const parameters = new SqlParameters('filter');
      const sql = conditionSql(parseCondition('ceiling_ft < 500 AND temp_c > 0'), parameters);
      const query = `EXPLAIN PLAN header = 1 SELECT ${sql} AS meets FROM observations WHERE station = 'XAAA' FORMAT TSVRaw`;
      const plan = (
        await archive.client.select({ query, params: parameters.values, settings: POINT_READ })
      ).toString();
      assert.match(plan, /\btemp_c\b/);
      assert.doesNotMatch(plan, /\b(clouds|wdir|raw)\b/);
    });
  });

  for (const seed of seeds(6))
    it(`agrees with an evaluation of the records without SQL, seed ${seed}`, async () => {
      const random = seededRandom(seed);
      const station = `XR${String(seed).padStart(2, '0')}`;
      const reports = Array.from({ length: 3000 }, (_, n) =>
        report({
          at: at(n),
          station,
          type: random() < 0.2 ? 'SPECI' : 'METAR',
          clean: random() >= 0.1,
          decoded: randomDecoded(random),
        }),
      );
      await insert(archive.client, ...reports.map((each) => put(each)));
      const conditions = new RandomConditions(random);
      const seen = { true: 0, false: 0, null: 0 };
      for (let n = 0; n < repetitions({ usual: 30, long: 500 }); n += 1) {
        const text = conditions.next();
        const condition = parseCondition(text);
        const expected = reports.map((each) => judge(condition, each));
        for (const truth of expected) seen[`${truth}`] += 1;
        assert.deepEqual(await truthsOf(text, station, n % 2 === 0 ? POINT_READ : {}), expected, text);
      }
      for (const [truth, count] of Object.entries(seen)) assert.ok(count > 1000, `${truth}: ${count}`);
    });
});
