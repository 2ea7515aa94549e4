import assert from 'node:assert/strict';
import { DAY_COLUMNS } from '../../../../clickhouse/days/records.ts';
import { NAMED_COLUMNS } from '../../../../clickhouse/model/named-fields.ts';
import { conversionTo } from '../../../../clickhouse/model/units.ts';

/** Steps of the values of each unit that fields have: inches also of mercury. */
const STEPS: Readonly<Record<string, number>> = {
  c: 0.1,
  kt: 1,
  m: 10,
  ft: 100,
  hpa: 0.1,
  inhg: 0.01,
  in: 0.01,
  min: 1,
};
const SUFFIXES = 'c f k ms kt kmh mph m km ft sm nm mm cm in hpa kpa inhg mmhg min h'.split(' ');

describe('units of fields (D83)', () => {
  /** A field, its value, and the same in other units, by definition. */
  const EQUAL: readonly (readonly [field: string, value: number, Readonly<Record<string, number>>])[] = [
    ['temp_c', 30, { f: 86, k: 303.15 }],
    ['temp_c', -40, { f: -40 }],
    ['wspd_kt', 3600, { ms: 1852, kmh: 6667.2 }],
    ['wspd_kt', 25_146, { mph: 28_937.5 }],
    ['ceiling_ft', 1000, { m: 304.8, km: 0.3048 }],
    ['visib_m', 1852, { nm: 1, km: 1.852 }],
    ['visib_m', 1_609_344, { sm: 1000, ft: 5_280_000 }],
    ['pcp1h_in', 0.01, { mm: 0.254, cm: 0.0254 }],
    ['altim_hpa', 1013.25, { kpa: 101.325 }],
    ['slp_hpa', 3386.388640341, { inhg: 100 }],
    ['slp_hpa', 133.322387415, { mmhg: 100 }],
    ['sun_min', 90, { h: 1.5 }],
  ];

  it('have exact factors: a value in another unit is the double of the stored one', () => {
    for (const [field, value, others] of EQUAL)
      for (const [suffix, other] of Object.entries(others))
        assert.equal(conversionTo(field, suffix, '')?.toStored(other), value, `${field} ${suffix}`);
    for (let tenths = -900; tenths <= 600; tenths += 1) {
      const fahrenheit = Number(((tenths * 18 + 3200) / 100).toFixed(2));
      assert.equal(conversionTo('temp_c', 'f', '')?.toStored(fahrenheit), tenths / 10);
    }
    assert.equal(conversionTo('temp_c', 'f', '')?.toStored(1e-7), ((1e-7 - 32) * 5) / 9);
  });

  it('are of one quantity, and tell values apart that a field tells apart', () => {
    for (const [unit, step] of Object.entries(STEPS))
      for (const suffix of SUFFIXES) {
        const conversion = conversionTo(`x_${unit}`, suffix, '');
        if (conversion === undefined) continue;
        // Four decimal places.
        const apart = step / Math.abs(conversion.toStored(1) - conversion.toStored(0));
        assert.ok(apart > 1e-4, `${unit} ${suffix}: ${apart}`);
      }
    for (const [unit, suffix] of [
      ['temp_c', 'kt'],
      ['wspd_kt', 'm'],
      ['rh_pct', 'f'],
      ['wx', 'f'],
    ] as const)
      assert.equal(conversionTo(unit, suffix, ''), undefined);
  });

  it('are no names of their own in lists of fields, and the first field of a quantity has them', () => {
    assert.ok(![...NAMED_COLUMNS.keys(), ...DAY_COLUMNS.keys()].some((name) => /_(f|ms|mm)$/.test(name)));
    for (const [name, of] of [
      ['temp_f', 'temp_c'],
      ['visib_km', 'visib_m'],
      ['altim_mmhg', 'altim_hpa'],
      ['visib_m', undefined],
      ['visib_sm', undefined],
      ['crosswind_ms(40)', 'crosswind_40'],
    ])
      assert.equal(NAMED_COLUMNS.get(name as string)?.of?.name, of, name);
    for (const name of [
      'temp_kt',
      'wx_f',
      'x_f',
      'f',
      'crosswind(361)',
      'crosswind(-1)',
      'crosswind(4.51)',
      'constructor',
    ])
      assert.equal(NAMED_COLUMNS.has(name), false, name);
    assert.equal(NAMED_COLUMNS.get('tailwind( 040 ; gust )')?.name, 'tailwind_40_gust');
    assert.equal(NAMED_COLUMNS.get('tailwind_40_gust')?.name, 'tailwind_40_gust');
    for (const name of ['crosswind_ms(44.3;gust)', 'crosswind_ms_44_3_gust'])
      assert.equal(NAMED_COLUMNS.get(name)?.name, 'crosswind_ms_44_3_gust');
    assert.match(NAMED_COLUMNS.get('crosswind_44_3')?.sql ?? '', / - 44\.3\)/);
  });
});
