import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DERIVED_FIELDS } from '../../../../clickhouse/model/derived-fields.ts';
import { decode } from '../../../../loader/decode.ts';

/** A derived field of a report with this body. */
function derive(name: (typeof DERIVED_FIELDS)[number]['name'], body: string): unknown {
  const { fields, unexplained } = decode(`CYYZ 010000Z 24010KT ${body}`);
  assert.deepEqual(unexplained, [], body);
  return DERIVED_FIELDS.find((field) => field.name === name)?.compute(fields);
}

describe('the ceiling (D43)', () => {
  for (const [body, expected] of [
    ['10SM FEW020 BKN040 OVC080', 4000],
    ['1/4SM FG VV002', 200],
    ['1 1/2SM -DZ OVC002 VV200', 200],
    ['10SM -SN BKN007 VV012', 700],
    ['10SM SCT040', Number.POSITIVE_INFINITY],
    ['10SM CLR', Number.POSITIVE_INFINITY],
    ['CAVOK', Number.POSITIVE_INFINITY],
    ['10SM', undefined],
    ['0150 FG VV///', undefined],
    ['9999 ///005 BKN010', undefined],
  ] as const)
    it(`is ${expected} feet for ${body}`, () => assert.equal(derive('ceiling_ft', body), expected));
});

describe('relative humidity (D43)', () => {
  for (const [body, expected] of [
    ['10SM CLR 20/20', 100],
    ['10SM CLR 20/21', 100],
    ['10SM CLR 30/M10', 6.8],
    ['10SM CLR 10/', undefined],
  ] as const)
    it(`is ${expected} % for ${body}`, () => assert.equal(derive('rh_pct', body), expected));
});

/** Weather, and the flags that are true for it. All others are false. */
const WEATHER = {
  '': [],
  FG: ['fog'],
  FZFG: ['fog'],
  MIFG: [],
  BCFG: [],
  PRFG: [],
  VCFG: [],
  BR: [],
  TS: ['thunder'],
  '+TSRA': ['thunder', 'rain'],
  VCTS: ['thunder_vicinity'],
  '-SN': ['snow'],
  SG: ['snow'],
  SHSN: ['snow'],
  '-RASN': ['rain', 'snow'],
  BLSN: [],
  DRSN: [],
  VCSH: [],
  '-SN BLSN': ['snow'],
  DZ: ['rain'],
  SHRA: ['rain'],
  '-FZRA': ['rain', 'freezing'],
  FZDZ: ['rain', 'freezing'],
  '+TSRAGR': ['thunder', 'rain', 'hail'],
  SHGS: ['hail'],
  DU: ['dust'],
  BLSA: ['dust'],
  SS: ['dust'],
  '+DS': ['dust'],
  PO: ['dust'],
} as const;
const FLAGS = DERIVED_FIELDS.filter(({ type }) => type === 'Bool').map(({ name }) => name);

describe('flags of weather (D53)', () => {
  for (const [weather, expected] of Object.entries(WEATHER))
    it(`of ${weather || 'no weather group'} are ${expected.join(' and ') || 'false'}`, () => {
      const flags = FLAGS.map((name) => [name, derive(name, `2SM ${weather} OVC010`.replace('  ', ' '))]);
      assert.deepEqual(Object.fromEntries(flags), {
        ...Object.fromEntries(FLAGS.map((name) => [name, false])),
        ...Object.fromEntries(expected.map((name) => [name, true])),
      });
    });

  it('are unknown where the sensor is missing', () => {
    for (const name of FLAGS) assert.equal(derive(name, '9999 // OVC010'), undefined, name);
  });
});
