import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { storedText } from '../../../../clickhouse/model/stored-text.ts';

const MARK = '\u0001'.repeat(12);
const AT = Date.UTC(2024, 0, 1, 12, 5) / 1000;

describe('the stored text of a report', () => {
  for (const [raw, stored] of [
    ['CYYZ 011205Z 18004KT', `${MARK} 18004KT`],
    ['METAR CYYZ 011205Z 18004KT', `METAR ${MARK} 18004KT`],
    ['SPECI CYYZ 011205Z', `SPECI ${MARK}`],
    // The time of the text is another one, or it has another form.
    ['CYYZ 011206Z 18004KT', 'CYYZ 011206Z 18004KT'],
    ['CYYZ  011205Z', 'CYYZ  011205Z'],
    ['CYYZ 01125Z CYYZ 011205Z CYYZ 011205Z', `CYYZ 01125Z ${MARK} CYYZ 011205Z`],
    ['', ''],
  ] as const)
    it(`has no station and time: ${raw}`, () => assert.equal(storedText(raw, 'CYYZ', AT), stored));
});
