import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readQuery } from '../../../../api/contract/query.ts';
import type { Preset } from '../../../../api/contract/values.ts';
import { Problem } from '../../../../api/problem.ts';
import { parseBy } from '../../../../api/statistics/by-list.ts';
import { endpointOf, questionOf } from '../../../../api/statistics/endpoint.ts';
import { PRESETS } from '../../../../api/statistics/presets.ts';
import { parseSelect } from '../../../../api/statistics/select-list.ts';

const VALID = { stations: 'KJFK', from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z', select: 'count' };

type Given = Readonly<Record<string, string | undefined>>;

function parse(given: Given) {
  const values = Object.entries({ ...VALID, ...given }).filter(([, value]) => value !== undefined);
  const query = String(new URLSearchParams(values as [string, string][]));
  return questionOf(readQuery(endpointOf(query), query).values);
}

/** What the service answers to a wrong question: `parameter detail`. */
const MISTAKES: readonly (readonly [given: Given, answer: string])[] = [
  [
    { select: undefined },
    'select is required, or preset: write the values of each row, as in count,mean(temp_c)',
  ],
  [{ select: 'mean(temp_c),' }, 'select has "" where a statistic belongs'],
  [{ select: 'mea(temp_c)' }, 'select has an unknown function mea: the nearest is mean'],
  [{ select: 'p101(temp_c)' }, 'select has an unknown function p101: there are count, mean, '],
  [{ select: 'p9(temp)' }, 'select has p9 of an unknown field temp'],
  [{ select: 'count(*)' }, 'select has count(*): write count alone'],
  [
    { select: 'p9(precip_in)' },
    'select has p9 of an unknown field precip_in: it is one of days: write of=days',
  ],
  [{ select: 'mean(temp)' }, 'select has mean of an unknown field temp: the nearest is temp_c'],
  [{ select: 'mean' }, 'select has mean without a field: write mean(temp_c)'],
  [{ select: 'mean(cavok)' }, 'select has mean(cavok), but cavok is not a number'],
  [
    { select: 'mean(wdir)' },
    'select has mean(wdir), but a direction is no number to average: write resultant(wdir) and resultant(wspd_kt)',
  ],
  ...['median', 'stddev', 'sum', 'p5', 'p95'].map(
    (of) => [{ select: `${of}(wdir)` }, `select has ${of}(wdir), but a direction is no number`] as const,
  ),
  [
    { select: 'mean(pk_wdir)' },
    'select has mean(pk_wdir), but a direction is no number to average: write count with by=class(pk_wdir;90;180;270)',
  ],
  [
    { select: 'resultant(wgst_kt)' },
    'select has resultant(wgst_kt): write resultant(wdir) or resultant(wspd_kt)',
  ],
  [{ select: 'resultant' }, 'select has resultant(): write resultant(wdir)'],
  [
    { select: 'mean(clouds)' },
    'select has mean of an unknown field clouds: use ceiling_ft, because clouds is a list',
  ],
  [{ select: 'share(visib_m < 800)' }, 'select has share(…) without a name: write one before a colon'],
  [
    { select: 'count,x:share(visib_m <)' },
    'select has a mistake at character 24: expected a number for visib_m',
  ],
  [
    { select: "x:count(clouds = 'BKN')" },
    'select has a mistake at character 9: there is no field clouds: use ceiling_ft',
  ],
  [{ select: 'x:days()' }, 'select has days without a condition'],
  [{ select: 'n:count' }, 'select has two columns named n'],
  [{ select: 'month:count', by: 'month' }, 'select has two columns named month'],
  [{ select: 'n:mean(temp_c)' }, 'select has two columns named n'],
  [{ select: '1st:count' }, 'select has the name "1st": a name begins with a letter'],
  [
    { select: '"; DROP TABLE observations --:count' },
    'select has "\\"; DROP TABLE observations --:count" where a statistic belongs',
  ],
  [
    { select: Array.from({ length: 41 }, (_, n) => `c${n}:count`).join() },
    'select has 41 statistics; one request may ask for 40',
  ],
  [{ by: 'mont' }, 'by has an unknown group "mont": the nearest is month'],
  [{ by: 'month,month' }, 'by has month twice'],
  [{ by: 'year,month,date,hour,fltcat' }, 'by has 5 groups; one request may have 4'],
  [{ by: 'month(1)' }, 'by has month(…): write month alone'],
  [{ by: 'wind_sector' }, 'by has wind_sector without a number of sectors: write wind_sector(8)'],
  [{ by: 'wind_sector(10)' }, 'by has wind_sector without a number of sectors'],
  [
    { by: 'wind_sector(12;2)' },
    'by has wind_sector(12;2): write the greatest speed that is calm in whole knots, as in wind_sector(12;calm=2)',
  ],
  [{ by: 'wind_sector(12;calm=2.5)' }, 'by has wind_sector(12;calm=2.5): write the greatest speed'],
  [{ by: 'class(wspd_kt)' }, 'by has a class without bounds: write class(wspd_kt;10;20;30)'],
  [
    { by: 'class(wspd;10)' },
    'by has a class of "wspd", which is not a field with numbers: the nearest is wspd_kt',
  ],
  [{ by: 'class(wspd_kt;20;10)' }, 'by has bounds of wspd_kt that do not ascend'],
  [{ by: 'class(wspd_kt;1e3)' }, 'by has the bound "1e3", which is not a number'],
  [{ by: 'raw' }, 'by has an unknown group "raw"'],
  [{ sample: 'daily' }, 'sample must be auto (all reports for extremes, days and hours'],
  [
    { type: 'speci' },
    'type speci leaves nothing in the hourly sample, which has METARs only: add sample=all',
  ],
  [
    { tz: 'Europe/Lodnon' },
    'tz has an unknown zone Europe/Lodnon: write utc, local, standard, or an IANA name',
  ],
  [{ tz: '+05:30' }, 'tz has an unknown zone +05:30'],
  [{ tz: 'constructor' }, 'tz has an unknown zone constructor'],
  [{ filter: 'temp_c >' }, 'filter has a mistake at character 9: expected a number for temp_c'],
  [{ preset: 'wind-roses', select: undefined }, 'preset is unknown: the nearest is wind-rose'],
  [{ preset: '__proto__', select: undefined }, 'preset is unknown'],
  [{ preset: 'wind-rose', by: 'month' }, 'preset replaces select and by: send one or the other'],
  [{ preset: 'wind-rose', select: undefined, by: 'month' }, 'preset replaces by: send one or the other'],
  [{ include: 'raw' }, 'include is unknown'],
  // What reports no longer have (D72 to D74).
  ...[
    'highest(temp_c)',
    'lowest(temp_c)',
    'total(pcp1h_in)',
    'trace(pcp1h_in)',
    'time_of_highest(wgst_kt)',
  ].map(
    (select) =>
      [
        { select },
        `select has ${select.split('(')[0]}, which is a value of days: write of=days and `,
      ] as const,
  ),
  [{ preset: 'daily', select: undefined }, 'preset is unknown: '],
  [{ days: 'complete' }, 'days is no parameter: statistics of=days are of complete days'],
];

const OF_DAYS = { of: 'days', from: '2024-01-01', to: '2025-01-01', select: 'mean(max_temp_c)' };
/** Of days. */
const MISTAKES_OF_DAYS: typeof MISTAKES = [
  [{ from: '2024-01-01T00:00:00Z' }, 'from must be a date, as in 2024-01-01: days have no times'],
  [{ to: '2024-02-30' }, 'to has a date that does not exist'],
  [
    { tz: 'Europe/London' },
    'tz must be standard (standard time of each station, UTC where its zone is unknown) or utc',
  ],
  [{ tz: 'local' }, 'tz must be standard'],
  [{ type: 'metar' }, 'type selects reports: leave it out with of=days'],
  [{ sample: 'all' }, 'sample selects reports: leave it out with of=days'],
  [{ by: 'hour' }, 'by has an unknown group "hour": there are year, season, month'],
  [{ by: 'wind_sector(12)' }, 'by has an unknown group "wind_sector(12)"'],
  [
    { select: 'mean(temp_c)' },
    'select has mean of an unknown field temp_c: it is one of reports: leave out of=days',
  ],
  [
    { select: 'mean(resultant_wdir)' },
    'select has mean(resultant_wdir), but a direction is no number to average',
  ],
  [{ select: 'x:days(rain = 1)' }, 'select has an unknown function days'],
  [{ select: 'x:count(rain = TRUE)' }, 'select has a mistake at character 16: expected 1 or 0 for rain'],
  [{ filter: 'wspd_kt > 3' }, 'filter has a mistake at character 1: there is no field wspd_kt'],
  [{ preset: 'extremes', select: undefined, of: 'reports' }, 'of is days in this preset: leave it out'],
  [
    { preset: 'wind-rose', select: undefined, from: VALID.from, to: VALID.to },
    'of is reports in this preset',
  ],
];

describe('the lists of a statistic', () => {
  it('are read in a time that grows with their length, whatever repeats in them', () => {
    // 12 times as long as a request: where each character were read once for each other one, one text would take a minute. CPU
    // time, because a busy machine does not change it.
    const length = 100_000;
    const pieces = [...' \t+a():\'",;', 'a ', ' a', 'a(', '(a', 'a:', '1;'];
    const ends = [
      ['', '!'],
      ['a:', '!'],
      ['a:b', '!'],
      ['a:b(', '!'],
      ['a:b(', ')!'],
      ['a:b(', ') c'],
      ['class(', '!'],
    ];
    for (const piece of pieces)
      for (const [before = '', after = ''] of ends) {
        const text = before + piece.repeat(length / piece.length) + after;
        for (const parse of [parseSelect, parseBy]) {
          const start = process.cpuUsage();
          assert.throws(() => parse(text));
          const milliseconds = process.cpuUsage(start).user / 1000;
          assert.ok(milliseconds < 2000, `${parse.name} of ${before}${piece}…${after}: ${milliseconds} ms`);
        }
      }
  });
});

describe('the parameters of a statistic (D45, D47, D74)', () => {
  for (const [given, answer] of [
    ...MISTAKES,
    ...MISTAKES_OF_DAYS.map(([given, answer]) => [{ ...OF_DAYS, ...given }, answer] as const),
  ])
    it(`refuse ${JSON.stringify(given).slice(0, 90)}`, () => {
      assert.throws(
        () => parse(given),
        (error) => {
          assert.ok(error instanceof Problem);
          const [first, ...others] = error.errors ?? [];
          assert.deepEqual(others, []);
          assert.equal(`${first?.parameter} ${first?.detail}`.slice(0, answer.length), answer);
          return true;
        },
      );
    });

  it('have all their mistakes reported together', () => {
    assert.throws(
      () => parse({ select: 'x', by: 'x', filter: 'x', tz: 'x/y', from: '2024' }),
      (error) => {
        const names = error instanceof Problem ? error.errors?.map(({ parameter }) => parameter) : [];
        assert.deepEqual(names?.toSorted(), ['by', 'filter', 'from', 'select', 'tz']);
        return true;
      },
    );
  });

  it('have the values of D45, with commas and quotes inside conditions', () => {
    const { statistics, groups, sample, tz } = parse({
      select: "max(temp_c), p95(wspd_kt),low:share(fltcat IN ('IFR','LIFR') AND wx LIKE '%(,%')",
      by: 'month, class(temp_c; -5;0;2.5),wind_sector(8; calm=2)',
    });
    assert.deepEqual(
      statistics.map(({ name, kind }) => [name, kind]),
      [
        ['max_temp_c', 'number'],
        ['p95_wspd_kt', 'percentile'],
        ['low', 'condition'],
      ],
    );
    assert.deepEqual(groups, [
      { kind: 'calendar', unit: 'month' },
      { kind: 'class', field: 'temp_c', bounds: [-5, 0, 2.5] },
      { kind: 'sector', sectors: 8, calm: 2 },
    ]);
    assert.deepEqual([sample, tz], ['auto', 'utc']);
  });

  it('have the values of each preset', () => {
    for (const [preset, { title: _, ...texts }] of Object.entries<Preset>(PRESETS)) {
      const range = texts.of === 'days' ? { from: '2024-01-01', to: '2025-01-01' } : {};
      const { expanded, ...asked } = parse({ preset, select: undefined, ...range });
      assert.deepEqual(asked, parse({ ...range, ...texts }));
      assert.deepEqual(expanded, PRESETS[preset as keyof typeof PRESETS]);
    }
  });

  it('are a question or a problem, whatever their text is', () => {
    const words = [...'(),:;\'"< \\é\0', ...'mean share p5 temp_c month class --'.split(' ')];
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('select', 'by', 'tz', 'filter', 'preset', 'sample'),
        text,
        (name, value) => {
          try {
            parse({ [name]: value });
          } catch (error) {
            assert.ok(error instanceof Problem, String(error));
            assert.equal(error.code, 'invalid_parameter');
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
