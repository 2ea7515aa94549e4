import assert from 'node:assert/strict';
import { namedIn } from '../../../../clickhouse/days/reports.ts';

describe('the weather that an unreadable report names (D78)', () => {
  for (const [text, wx] of [
    ['SNBR 011200Z 24010KT QQQ9', ''],
    ['METAR COR SNBR 011200Z 24010KT QQQ9 -RA/ BR', 'RA BR'],
    ['24010KT QQQ9 SNBR', 'SNBR'],
  ])
    it(`is ${wx || 'none'} in ${text}`, () => {
      assert.equal(namedIn(text as string).wx, wx);
    });
});
