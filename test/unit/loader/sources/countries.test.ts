import assert from 'node:assert/strict';
import { isoCountry, isoCountryOfFips } from '../../../../loader/sources/station-lists.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/**
 * The regions that Unicode CLDR knows and that have no code of ISO 3166-1: exceptional reservations, groups, codes for
 * tests. `AN` and others are withdrawn, and CLDR gives them the name of another code.
 */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

/** The codes of ISO 3166-1 and XK, by the data of ICU: an oracle that is not this project's. */
function isoCodes(): readonly string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return CODES.filter((code) => {
    const canonical = new Intl.Locale(`und-${code}`).region;
    return names.of(code) !== undefined && canonical === code && !NO_COUNTRIES.has(code);
  });
}

describe('country codes', () => {
  it('are those of ISO 3166-1', () => {
    const codes = isoCodes();
    assert.ok(codes.length > 245, String(codes.length));
    assert.deepEqual(
      CODES.filter((code) => isoCountry(code) !== undefined),
      codes,
    );
  });

  it('of FIPS cover every country but two that FIPS does not have', () => {
    const reached = new Set(CODES.map((code) => isoCountryOfFips(code)));
    assert.deepEqual(
      isoCodes().filter((code) => !reached.has(code)),
      ['AX', 'BQ'],
    );
  });

  it('of FIPS differ from those of ISO', () => {
    const pairs =
      'GM:DE GA:GM GB:GA UK:GB AS:AU AU:AT AG:DZ AN:AD CH:CN SZ:CH WZ:SZ CI:CL IV:CI SP:ES ES:SV EI:IE IS:IL IC:IS JA:JP KS:KR KN:KP ' +
      'SC:KN SE:SC SW:SE RS:RU RI:RS PO:PT PM:PA PA:PY DA:DK TU:TR UP:UA SF:ZA ZA:ZM ZI:ZW NI:NG NG:NE NE:NU BG:BD BD:BM BU:BG BF:BS ' +
      'UV:BF BH:BZ BA:BH BK:BA BL:BO BO:BY BY:BI TS:TN TN:TO TO:TG TT:TL TD:TT CD:TD CG:CD CF:CG CT:CF LT:LS LS:LI LI:LR LH:LT RQ:PR ' +
      'MA:MG MG:MN MN:MC MC:MO MO:MA MU:OM MP:MU CQ:MP SN:SG SG:SN VI:VG VQ:VI PS:PW GZ:PS OD:SS SU:SD EN:EE EZ:CZ LO:SK';
    for (const pair of pairs.split(' ')) {
      const [fips = '', iso] = pair.split(':');
      assert.equal(isoCountryOfFips(fips), iso, fips);
    }
  });

  it('are unknown for codes that are none', () => {
    for (const code of ['', 'us', 'USA', 'AN', 'UN', 'YU', '99'])
      assert.equal(isoCountry(code), undefined, code);
    assert.equal(isoCountry(null), undefined);
    for (const code of ['', 'YI', 'NT', 'AX', 'ZZ']) assert.equal(isoCountryOfFips(code), undefined, code);
  });

  it('are those of a territory where the source gives it as a state of the United States', () => {
    assert.equal(isoCountry('US', 'PR'), 'PR');
    assert.equal(isoCountry('US', 'NY'), 'US');
    assert.equal(isoCountry('CA', 'PR'), 'CA');
    assert.equal(isoCountryOfFips('US', 'GU'), 'GU');
  });
});
