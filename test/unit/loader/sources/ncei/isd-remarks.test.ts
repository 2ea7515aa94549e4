import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { extractReport } from '../../../../../loader/sources/ncei/isd-remarks.ts';
import { met } from '../../../../support/replay-ncei.ts';

const BODY = 'METAR KXYZ 010053Z 16005KT 10SM CLR 06/01 A3002 RMK AO2 T00561011';
const text = (remarks: string) => {
  const found = extractReport(remarks);
  return found.kind === 'report' ? found.text : found.reason;
};

describe('the report in ISD’s remarks', () => {
  it('stands between a stamp of local time and the initials of the observer', () => {
    assert.equal(text(met(`12/31/13 18:53:03 ${BODY} (DF)`)), BODY);
    assert.equal(text(met(`12/31/13 18:53:03 ${BODY} $ FIBI (KLC)`)), `${BODY} $ FIBI`);
  });

  it('stands as it was sent, where it came over the network', () => {
    assert.equal(text(met(`${BODY}      A3007 RMK $=`)), `${BODY}      A3007 RMK $=`);
  });

  it('is one of several blocks, and only MET is a report', () => {
    const synop = '72530 11416 80000 333 90100=';
    assert.equal(text(`SYN${String(synop.length).padStart(3, '0')}${synop}${met(`${BODY}=`)}`), `${BODY}=`);
    assert.equal(text(`${met(`${BODY}=`)}SOD007SUNRISE`), `${BODY}=`);
    assert.equal(text(`SYN${String(synop.length).padStart(3, '0')}${synop}`), 'no text kept');
  });

  it('is found whole behind a wrong length', () => {
    assert.equal(text(met(`${BODY}=`, 20)), `${BODY}=`);
    assert.equal(text(`${met(`${BODY}=`, 20)}SYN005AAXX1`), `${BODY}=`);
    assert.equal(text(met(`${BODY}=`, 300)), `${BODY}=`);
  });

  it('is cut short where the field ends before the report does', () => {
    assert.equal(text(met(BODY.slice(0, 40), BODY.length)), 'cut short');
  });

  it('is not there in an empty field, in other text, or in an empty block', () => {
    for (const remarks of ['', 'METAR KXYZ', 'MET', 'MET000', met('12/31/13 18:53:03 (DF)')])
      assert.equal(text(remarks), 'no text kept', remarks);
  });
});
