import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { fingerprint } from '../../../../clickhouse/model/fingerprint.ts';
import { decode } from '../../../../loader/decode.ts';
import { isNil, normalize, oneLine } from '../../../../loader/pipeline/normalize.ts';
import type { SourceRow } from '../../../../loader/sources/source.ts';

const filedAt = Date.parse('2024-01-15T12:00:00Z') / 1000;
const sent = (text: string, more: Partial<SourceRow> = {}): SourceRow => ({
  station: 'XAAA',
  filedAt,
  text,
  ...more,
});

describe('splitting what a source sent', () => {
  it('gives a report its identity, its text on one line and the type that was sent (D3, D5)', () => {
    const { fetched, skipped } = normalize({
      rows: [sent('METAR XAAA 151200Z  18004KT\r\n     CAVOK 12/07 Q1013 =')],
      skipped: {},
    });
    assert.deepEqual(fetched, [
      {
        station: 'XAAA',
        observedAt: filedAt,
        fingerprint: fingerprint('XAAA 151200Z 18004KT CAVOK 12/07 Q1013'),
        raw: 'METAR XAAA 151200Z 18004KT CAVOK 12/07 Q1013',
        sentType: 'METAR',
        nil: false,
      },
    ]);
    assert.deepEqual(skipped, {});
  });

  it('believes the keyword rather than what stands beside the text', () => {
    const { fetched } = normalize({
      rows: [
        sent('SPECI XAAA 151200Z CAVOK', { type: 'METAR' }),
        sent('XAAA 151201Z CAVOK', { type: 'SPECI' }),
      ],
      skipped: {},
    });
    assert.deepEqual(
      fetched.map(({ sentType }) => sentType),
      ['SPECI', 'SPECI'],
    );
  });

  it('keeps a NIL with a time of its own and skips one without by that name (D8)', () => {
    const { fetched, skipped } = normalize({
      rows: [
        sent('METAR XAAA 151200Z NIL='),
        sent('METAR XAAA NIL='),
        sent('METAR XAAA 151230Z 18004KT RMK NIL'),
      ],
      skipped: { 'wrong station': 2 },
    });
    assert.deepEqual(
      fetched.map(({ nil }) => nil),
      [true, false],
    );
    assert.deepEqual(skipped, { 'wrong station': 2, 'NIL without time': 1 });
  });

  it('skips texts with nothing in them', () => {
    const texts = ['', '=', ' \n ', 'METAR XAAA=', 'XAAA', 'SPECI'];
    assert.deepEqual(normalize({ rows: texts.map((text) => sent(text)), skipped: {} }).skipped, {
      'empty text': texts.length,
    });
  });

  it('agrees with the decoder on what is NIL', () => {
    for (const raw of [
      'METAR XAAA 151200Z NIL',
      'XAAA 151200Z NIL',
      'METAR COR XAAA 151200Z NIL',
      'XAAA 151200Z AUTO NIL',
      'XAAA 151200Z CCA NIL',
      'XAAA 151230Z 18004KT CAVOK 12/07 Q1013 NIL',
    ])
      assert.deepEqual([isNil(raw), decode(raw).fields.nil], [true, true], raw);
    const remarked = 'XAAA 151230Z 18004KT CAVOK 12/07 Q1013 RMK NIL';
    assert.deepEqual([isNil(remarked), decode(remarked).fields.nil], [false, undefined]);
  });
});

describe('one line (D5)', () => {
  it('loses control characters, runs of blanks and the closing equals signs, and nothing else', () => {
    assert.equal(oneLine('\u0001XAAA\t151200Z \u0003 18004KT$ = =\n'), 'XAAA 151200Z 18004KT$');
    assert.equal(oneLine('XAAA 151200Z 18004KT'), 'XAAA 151200Z 18004KT');
  });

  it('is the same when it is made twice, in linear time', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        (text) => oneLine(oneLine(text)) === oneLine(text),
      ),
    );
    assert.equal(oneLine(`XAAA ${'= '.repeat(50_000)}`), 'XAAA');
  });
});
