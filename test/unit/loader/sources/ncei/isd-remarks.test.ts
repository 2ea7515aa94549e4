import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { extractReport } from '../../../../../loader/sources/ncei/isd-remarks.ts';
import { metBlock } from '../../../../support/sources/replay-ncei.ts';

const BODY = 'METAR KXYZ 010053Z 16005KT 10SM CLR 06/01 A3002 RMK AO2 T00561011';
const EQD = 'D07+000000ADE726';
const textOf = (remarks: string, qualityData = '') => {
  const found = extractReport(remarks, qualityData);
  return found.kind === 'report' ? found.text : found.reason;
};
const block = (name: string, text: string) => `${name}${String(text.length).padStart(3, '0')}${text}`;

describe('ISD remarks: the METAR or SPECI of a row', () => {
  it('removes the stamp of local time and the initials of the observer', () => {
    assert.equal(textOf(metBlock(`12/31/13 18:53:03 ${BODY} (DF)`)), BODY);
    assert.equal(textOf(metBlock(`12/31/13 18:53:03 ${BODY} $ FIBI (KLC)`)), `${BODY} $ FIBI`);
  });

  it('returns a report from the telecommunication network unchanged', () => {
    assert.equal(textOf(metBlock(`${BODY}      A3007 RMK $=`)), `${BODY}      A3007 RMK $=`);
  });

  it('reads the MET block among several blocks', () => {
    const synop = block('SYN', '72530 11416 80000 333 90100=');
    assert.equal(textOf(`${synop}${metBlock(`${BODY}=`)}`), `${BODY}=`);
    assert.equal(textOf(`${metBlock(`${BODY}=`)}SOD007SUNRISE`), `${BODY}=`);
    assert.equal(textOf(synop), 'no text kept');
  });

  it('reads the whole report where the stated length is wrong', () => {
    assert.equal(textOf(metBlock(`${BODY}=`, 20)), `${BODY}=`);
    assert.equal(textOf(`${metBlock(`${BODY}=`, 20)}SYN005AAXX1`), `${BODY}=`);
    assert.equal(textOf(metBlock(`${BODY}=`, 300)), `${BODY}=`);
  });

  it('calls a text that ends before its stated length cut short', () => {
    assert.equal(textOf(metBlock(BODY.slice(0, 40), BODY.length)), 'cut short');
    assert.equal(textOf(metBlock(BODY.slice(0, 40), BODY.length), EQD), 'cut short');
  });

  it('accepts a stated length that includes the EQD section', () => {
    assert.equal(textOf(metBlock(BODY, BODY.length + 'EQD'.length + EQD.length), EQD), BODY);
    assert.equal(textOf(metBlock(BODY, BODY.length), EQD), BODY);
    // An element of 10 characters.
    assert.equal(textOf(metBlock(BODY, BODY.length + 13), 'D100ADE726'), BODY);
  });

  it('accepts a stated length that includes the first of two EQD sections', () => {
    assert.equal(textOf(metBlock(BODY, BODY.length + 19), `${EQD}EQDQ01  01068PRCP24`), BODY);
  });

  it('accepts no length that exceeds the EQD section or ends inside it', () => {
    for (const excess of [1, 3, 18, 20, 35])
      assert.equal(textOf(metBlock(BODY, BODY.length + excess), EQD), 'cut short', String(excess));
  });

  it('removes an EQD section from the text', () => {
    const stamped = `12/31/13 18:53:03 ${BODY} (DF)`;
    assert.equal(textOf(metBlock(`${stamped}EQD${EQD}`)), BODY);
    assert.equal(textOf(`${metBlock(stamped)}EQDD100ADE726`), BODY);
    assert.equal(textOf(`${metBlock(stamped)}EQDR01      7SKY009R02      7GAS009`), BODY);
  });

  it('returns nothing for an empty field, other text, or an empty block', () => {
    for (const remarks of ['', 'METAR KXYZ', 'MET', 'MET000', metBlock('12/31/13 18:53:03 (DF)')])
      assert.equal(textOf(remarks), 'no text kept', remarks);
  });
});
