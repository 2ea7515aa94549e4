import assert from 'node:assert/strict';
import { shortenNumber } from '../../../../clickhouse/statistics/printer.ts';
import { seededRandom } from '../../../support/random.ts';

function shorten(number: string): string {
  const bytes = Buffer.from(`,${number}`);
  return bytes.toString('latin1', 1, shortenNumber(bytes, 1, bytes.length));
}

describe('a number of CSV', () => {
  for (const [number, short] of [
    ['12.433333333333334', '12.433333'],
    ['-7.666666666666667', '-7.666667'],
    ['0.16666666666666666', '0.166667'],
    ['0.00012345678', '0.000123457'],
    ['0.0999999999', '0.1'],
    ['9.99999951', '10'],
    ['-99.99999999', '-100'],
    ['1013.2000000000001', '1013.2'],
    ['1013.1999999999999', '1013.2'],
    ['29.5000001', '29.5'],
    // As they are: whole numbers, what a report can give, and what has an exponent.
    ['1000000', '1000000'],
    ['0', '0'],
    ['-0', '-0'],
    ['-0.6', '-0.6'],
    ['0.0625', '0.0625'],
    ['12.123456', '12.123456'],
    ['1.2345678901e-9', '1.2345678901e-9'],
    ['', ''],
  ] as const)
    it(`of ${number} is ${short}`, () => {
      assert.equal(shorten(number), short);
    });

  it('is the nearest with six decimal places or six significant figures', () => {
    const random = seededRandom(53);
    for (let n = 0; n < 20_000; n += 1) {
      const number = (random() - 0.5) * 10 ** Math.floor(random() * 9 - 4);
      const text = String(number);
      if (text.includes('e')) continue;
      const expected = Math.abs(number) < 0.1 ? number.toPrecision(6) : number.toFixed(6);
      assert.equal(Number(shorten(text)), Number(expected), text);
    }
  });
});
