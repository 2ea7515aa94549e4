import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const ranges = (groups: string) => fieldsOf(groups, ['rvr']).rvr;

describe('runway visual range', () => {
  it('reads meters with their tendency', () => {
    deepEqual(ranges('R27L/0350N R09R/0800U'), [
      { rwy: '27L', min_m: 350, trend: 'N' },
      { rwy: '09R', min_m: 800, trend: 'U' },
    ]);
  });

  it('reads a range that varies, and values beyond the instrument', () => {
    deepEqual(ranges('R24/0900VP2000U'), [{ rwy: '24', min_m: 900, max_m: 2000, mod: 'P', trend: 'U' }]);
    deepEqual(ranges('R21/P2000'), [{ rwy: '21', min_m: 2000, mod: 'P' }]);
    deepEqual(ranges('R33/M0050VP1500U'), [{ rwy: '33', min_m: 50, max_m: 1500, mod: 'MP', trend: 'U' }]);
  });

  it('reads feet, American and Canadian', () => {
    deepEqual(ranges('R34L/2000V4000FT'), [{ rwy: '34L', min_ft: 2000, max_ft: 4000 }]);
    deepEqual(ranges('R06L/4000FT/U'), [{ rwy: '06L', min_ft: 4000, trend: 'U' }]);
    deepEqual(ranges('R26/3000VP6000FT/'), [{ rwy: '26', min_ft: 3000, max_ft: 6000, mod: 'P' }]);
  });

  it('gives nothing for a missing one', () => {
    deepEqual(ranges('RVRNO R34/////N R35///// R////// R09R//////'), undefined);
    deepEqual(fieldsOf('R09R//////', ['rwy_state']), {});
  });

  it('lists what it cannot read', () => {
    for (const group of ['R162/0400', 'R27/04000', 'R27/0900V0400', 'R27/0400X'])
      deepEqual(read(group).unexplained, [group]);
  });
});

const state = (groups: string) => fieldsOf(groups, ['rwy_state']).rwy_state;

describe('runway state', () => {
  it('keeps every form of it as sent', () => {
    const states =
      'R24/290150 R06L/490435 R24/CLRD70 R88/CLRD// R24/CLRD R/SNOCLO SNOCLO R15/SNOCLO R30/2///55 R08/65D R28/D ' +
      '24290150 88CLRD95 15//99//';
    for (const group of states.split(' ')) deepEqual(state(`05/02 Q1020 ${group}`), group);
    deepEqual(state('05/02 Q1020 R06L/490435 R24C/590230'), 'R06L/490435 R24C/590230');
  });

  it('never takes eight figures for a wind', () => {
    const { fields } = read('20003MPS CAVOK 15/04 Q1020 01010070', 'UKFF');
    deepEqual([fields.wdir, fields.wspd_kt, fields.rwy_state], [200, 6, '01010070']);
  });

  it('gives nothing where nothing was reported', () => deepEqual(state('05/02 Q1020 R88///////'), undefined));

  it('lists what it cannot read', () => {
    for (const group of ['R24/29015X', 'R162///9', 'R99/CLRD070', '2429015X', 'R23/GXRD60'])
      deepEqual(read(`05/02 Q1020 ${group}`).unexplained, [group]);
  });
});
