import assert from 'node:assert/strict';
import { DERIVED_FIELDS } from '../../../../clickhouse/model/derived-fields.ts';
import { decode } from '../../../../loader/decode.ts';

/** A derived field of a report with this body. */
function derive(name: (typeof DERIVED_FIELDS)[number]['name'], body: string): unknown {
  const { fields, unexplained } = decode(`CYYZ 010000Z 24010KT ${body}`);
  assert.deepEqual(unexplained, [], body);
  return DERIVED_FIELDS.find((field) => field.name === name)?.compute(fields);
}

const NONE = Number.POSITIVE_INFINITY;

describe('the ceiling (D43)', () => {
  for (const [body, expected] of [
    ['10SM FEW020 BKN040 OVC080', 4000],
    ['10SM OVC007 BKN009', 700],
    ['1/4SM FG VV002', 200],
    ['0200 FG VV001', 100],
    ['1 1/2SM -DZ OVC002 VV200', 200],
    ['10SM -SN BKN007 VV012', 700],
    ['10SM SCT040', NONE],
    ['10SM CLR', NONE],
    ['9999 NCD', NONE],
    ['CAVOK', NONE],
    ['CAVOK //////', NONE],
    ['10SM', undefined],
    ['0150 FG VV///', undefined],
    ['9999 BKN///', undefined],
    ['9999 BKN/// OVC009', undefined],
    ['9999 SCT///', NONE],
    // A layer of unknown amount may be the ceiling.
    ['9999 ///005 BKN010', undefined],
    ['9999 BKN030 ///012', undefined],
    ['9999 BKN012 ///030', 1200],
    ['9999 BKN012 ///012', 1200],
    ['9999 BKN020 ///030 ///015CB', undefined],
    ['9999 FEW005 ///015', undefined],
    ['9999 FEW005 SCT012 ///250', undefined],
    ['9999 ///015', undefined],
    ['9999 //////', undefined],
    ['9999 ///CB', undefined],
    ['9999 FEW005 //////CB', NONE],
    ['9999 BKN012 //////TCU', 1200],
  ] as const)
    it(`is ${expected} feet for ${body}, and known where the flight category is`, () => {
      assert.equal(derive('ceiling_ft', body), expected);
      const { fltcat } = decode(`CYYZ 010000Z 24010KT ${body}`).fields;
      // The visibility alone decides LIFR.
      const hasVisibility = body !== '10SM';
      if (fltcat !== 'LIFR' && hasVisibility) assert.equal(fltcat === undefined, expected === undefined);
    });
});

describe('relative humidity (D43)', () => {
  for (const [body, expected] of [
    ['10SM CLR 20/20', 100],
    ['10SM CLR 00/M05', 69.1],
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
  FZRASN: ['rain', 'snow', 'freezing'],
  FZUP: [],
  UP: [],
  '+TSRAGR': ['thunder', 'rain', 'hail'],
  SHGS: ['hail'],
  DU: ['dust'],
  BLSA: ['dust'],
  SS: ['dust'],
  '+DS': ['dust'],
  PO: ['dust'],
  VCDS: ['dust'],
  VCBLDU: ['dust'],
  VCPO: ['dust'],
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

  for (const [report, expected] of Object.entries({
    '10SM CLR 20/10 A3000 RMK AO2 TSB18E45': true,
    '10SM CLR 20/10 A3000 RMK AO2 TSB2318E2345 SLP160': true,
    // The report is of 00:00.
    '10SM CLR 20/10 A3000 RMK AO2 TSE50 SLP160': true,
    '10SM CLR 20/10 A3000 RMK AO2 TSE2350': true,
    '10SM CLR 20/10 A3000 RMK AO2 TSE00': true,
    '10SM CLR 20/10 A3000 RMK AO2 RAB10 TSB09RAE40': true,
    '10SM CLR 20/10 A3000 RMK AO2 TSE02B15E20': true,
    // Ended long ago: a report before has it.
    '10SM CLR 20/10 A3000 RMK AO2 TSE49': false,
    '10SM CLR 20/10 A3000 RMK AO2 TSE12': false,
    '10SM CLR 20/10 A3000 RMK AO2 TSE2250': false,
    '10SM CLR 20/10 A3000 RMK AO2 LTG DSNT N TS MOV E': false,
    '10SM CLR 20/10 A3000 RMK AO2 VCTSB18E45': false,
    // The remarks know what the sensor of present weather does not.
    '10SM // CLR 20/10 A3000 RMK AO2 TSB18E45': true,
    // The sensor of lightning does not work.
    '10SM CLR 20/10 A3000 RMK AO2 TSNO': undefined,
    '10SM VCTS CLR 20/10 A3000 RMK AO2 TSNO': undefined,
    '10SM TSRA CLR 20/10 A3000 RMK AO2 TSNO': true,
  }))
    it(`have thunder ${expected} for ${report}`, () => {
      assert.equal(derive('thunder', report), expected);
    });

  it('have thunder in the vicinity where it is reported, and unknown where the sensor of lightning does not work', () => {
    assert.equal(derive('thunder_vicinity', '10SM VCTS CLR RMK AO2 TSNO'), true);
    assert.equal(derive('thunder_vicinity', '10SM CLR RMK AO2 TSNO'), undefined);
  });

  it('are unknown where the sensor is missing', () => {
    for (const name of FLAGS) assert.equal(derive(name, '9999 // OVC010'), undefined, name);
  });
});
