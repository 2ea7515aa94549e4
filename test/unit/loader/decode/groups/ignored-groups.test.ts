import { deepEqual } from 'node:assert/strict';
import { read } from '../read.ts';

const unexplained = (groups: string, station?: string) =>
  read(`9999 12/08 Q1013 ${groups}`, station).unexplained;

describe('supplementary groups', () => {
  it('understands Australian rainfall and Pakistani humidity', () => {
    for (const group of ['RF00.0/000.0', 'RF//.//////./', 'RH76', 'HR83']) deepEqual(unexplained(group), []);
    deepEqual(unexplained('RF00.0'), ['RF00.0']);
    deepEqual(unexplained('RH176'), ['RH176']);
  });

  it('understands groups of which nothing was observed', () => {
    for (const group of ['/', '//', '///', '//////', '/////////', '//////KT', 'M'])
      deepEqual(read(group).unexplained, []);
  });

  it('understands the further winds of Madeira there alone', () => {
    deepEqual(unexplained('RS32006KT 0504013G25KT', 'LPMA'), []);
    deepEqual(unexplained('RS32006KT', 'LPPT'), ['RS32006KT']);
  });
});
