import assert from 'node:assert/strict';
import { compileSchema } from '../../../clickhouse/validation.ts';

const validate = compileSchema<{ readonly count: string }>({
  type: 'object',
  properties: {
    count: {
      type: 'string',
      wholeNumber: [1, 600],
      description: 'a whole number from 1 to 600',
      default: '30',
    },
    codes: { type: 'array', items: { type: 'string', pattern: '^[A-Z]$' }, description: 'capital letters' },
    name: { type: 'string', description: 'a name' },
    fields: { type: 'array', items: { enum: ['temp_c', 'tempo'] }, description: 'names of fields' },
  },
  required: ['name'],
  additionalProperties: false,
});

const errorsOf = (value: object) => {
  const result = validate(value);
  return result.kind === 'invalid' ? result.errors : assert.fail('The value is valid');
};

describe('schema validator', () => {
  it('returns the value with defaults for absent properties', () => {
    assert.deepEqual(validate({ name: 'a' }), { kind: 'valid', value: { name: 'a', count: '30' } });
  });

  it('accepts whole numbers as digits within their bounds only', () => {
    for (const count of ['1', '600', '007'])
      assert.deepEqual(validate({ name: 'a', count }).kind, 'valid', count);
    for (const count of ['0', '601', '1e2', '-1', '+1', '1.0', ' 1', '', '1\n', '0x10', '9999999999', 5])
      assert.deepEqual(
        errorsOf({ name: 'a', count }),
        [{ name: 'count', detail: 'must be a whole number from 1 to 600' }],
        String(count),
      );
  });

  it('reports every invalid property once', () => {
    const errors = errorsOf({ count: 'x', codes: ['a', 'b'], other: '1' });
    assert.deepEqual(
      [...errors].sort((a, b) => a.name.localeCompare(b.name)),
      [
        { name: 'codes', detail: 'must be capital letters; found "a", "b"' },
        { name: 'count', detail: 'must be a whole number from 1 to 600' },
        { name: 'name', detail: 'is required: a name' },
        { name: 'other', detail: 'is unknown: there are count, codes, name, fields' },
      ],
    );
  });

  it('shows the first five invalid items of a list, each cut at 32 characters', () => {
    const [error] = errorsOf({ name: 'a', codes: ['', 'x'.repeat(40), 'c', 'd', 'e', 'f', 'g'] });
    assert.equal(
      error?.detail,
      `must be capital letters; found an empty item, "${'x'.repeat(32)}", "c", "d", "e" and 2 more`,
    );
  });

  it('names what is near an item that is none of the names of a list', () => {
    const [error] = errorsOf({ name: 'a', fields: ['temp', 'temp_c', 'wind', ''] });
    assert.equal(
      error?.detail,
      'must be names of fields; found "temp" (the nearest is temp_c or tempo), "wind", an empty item',
    );
  });
});
