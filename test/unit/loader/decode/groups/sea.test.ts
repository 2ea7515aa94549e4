import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

describe('sea', () => {
  it('keeps temperature and state or wave height as sent', () => {
    for (const group of [
      'W15/S4',
      'WM01/S6',
      'W15/H12',
      'W17/H7',
      'W12/H///',
      'W///S4',
      'W09/S/',
      'W/////',
      'W38///',
    ]) {
      deepEqual(fieldsOf(`05/02 Q1020 ${group}`, ['sea']), { sea: group });
    }
  });

  it('lists what it cannot read', () => {
    for (const group of ['W15S4', 'W15/X4', 'W15/S44', 'W1/S4']) {
      deepEqual(read(`05/02 Q1020 ${group}`).unexplained, [group]);
    }
  });
});
