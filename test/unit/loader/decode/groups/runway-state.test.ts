import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const state = (groups: string) => fieldsOf(groups, ['rwy_state']).rwy_state;

describe('runway state', () => {
  it('keeps every form of it as sent', () => {
    for (const group of [
      'R24/290150',
      'R06L/490435',
      'R24/CLRD70',
      'R88/CLRD//',
      'R24/CLRD',
      'R/SNOCLO',
      'SNOCLO',
      'R15/SNOCLO',
      'R30/2///55',
      'R08/65D',
      'R28/D',
      '24290150',
      '88CLRD95',
      '15//99//',
    ]) {
      deepEqual(state(`05/02 Q1020 ${group}`), group);
    }
    deepEqual(state('05/02 Q1020 R06L/490435 R24C/590230'), 'R06L/490435 R24C/590230');
  });

  it('never takes eight figures for a wind', () => {
    const { fields } = read('20003MPS CAVOK 15/04 Q1020 01010070', 'UKFF');
    deepEqual([fields.wdir, fields.wspd_kt, fields.rwy_state], [200, 6, '01010070']);
  });

  it('gives nothing where nothing was reported', () => deepEqual(state('05/02 Q1020 R88///////'), undefined));

  it('lists what it cannot read', () => {
    for (const group of ['R24/29015X', 'R162///9', 'R99/CLRD070', '2429015X', 'R23/GXRD60']) {
      deepEqual(read(`05/02 Q1020 ${group}`).unexplained, [group]);
    }
  });
});
