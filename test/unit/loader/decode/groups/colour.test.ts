import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const NAMES = ['colour', 'trend', 'wdir', 'clouds'] as const;

describe('colour state', () => {
  it('keeps the state as sent', () => {
    for (const colour of ['BLU', 'BLU+', 'YLO1', 'RED', 'BLACKWHT', 'BLU/', 'BLACK', 'BLU/BLU/']) {
      deepEqual(fieldsOf(`9999 05/02 Q1020 ${colour}`, ['colour']), { colour });
    }
    deepEqual(fieldsOf('9999 05/02 Q1020 YLO GRN', ['colour']), { colour: 'YLO GRN' });
  });

  it('takes wind and sky behind it for a forecast', () => {
    deepEqual(fieldsOf('24014KT 9999 OVC170 13/08 Q1018 BLU 24013KT 9999 FEW045 BECMG 24015G27KT', NAMES), {
      colour: 'BLU',
      trend: '24013KT 9999 FEW045 BECMG 24015G27KT',
      wdir: 240,
      clouds: [{ cover: 'OVC', base_ft: 17_000 }],
    });
    deepEqual(fieldsOf('9999 15/09 Q1019 BLU FCST CANCEL', ['trend']), { trend: 'FCST CANCEL' });
  });

  it('does not take the Spanish abbreviation RED for one', () => {
    deepEqual(read('5000 OVC016 12/12 Q1022 VIS RED 5KMS', 'MHLE').fields.colour, undefined);
  });

  it('lists what is no colour', () => deepEqual(read('9999 05/02 Q1020 BLUX').unexplained, ['BLUX']));
});
