import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parametersOf } from '../../../../api/contract/parameters.ts';
import { type LimitKind, readQuery } from '../../../../api/contract/query.ts';
import { OBSERVATIONS, selectionOf } from '../../../../api/observations/endpoint.ts';
import { Problem } from '../../../../api/problem.ts';
import { PARAMETER_TEXTS } from '../../../support/api/parameter-texts.ts';
import { queryErrors } from '../../../support/api/query-errors.ts';

const VALID = { stations: 'KJFK', from: '2024-01-01T00:00:00Z', to: '2024-02-01T00:00:00Z' };

function parseQuery(text: string, limitKind?: LimitKind) {
  const { values, ...query } = readQuery(OBSERVATIONS, text, limitKind);
  return { ...query, selection: selectionOf(values) };
}

const parse = (changes: Readonly<Record<string, string>> = {}) =>
  parseQuery(new URLSearchParams({ ...VALID, ...changes }).toString());

const errors = (query: string) => queryErrors(OBSERVATIONS, query);
const TIMES = 'from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z';

const errorsWith = (changes: Readonly<Record<string, string>>) =>
  errors(new URLSearchParams({ ...VALID, ...changes }).toString());

const stationCodes = (count: number) =>
  Array.from({ length: count }, (_, n) => `K${n.toString(36).toUpperCase().padStart(3, '0')}`);

describe('query parameters', () => {
  it('have the defaults of D20, D21 and D22', () => {
    const { selection, limit, isWhole, after } = parse();
    assert.deepEqual(selection, {
      stations: ['KJFK'],
      from: Date.UTC(2024, 0, 1) / 1000,
      to: Date.UTC(2024, 1, 1) / 1000,
      types: ['METAR', 'SPECI'],
      raw: true,
      decoded: false,
    });
    assert.deepEqual([limit, isWhole, after], [1000, false, undefined]);
  });

  it('have other bounds of limit for streams by plan; without limit the whole range (D33, D85)', () => {
    const query = new URLSearchParams(VALID).toString();
    for (const [plan, most, text] of [
      ['sandbox', 10_000, /sandbox are not for bulk/],
      ['starter', 1_000_000, /1 to 1,000,000/],
      ['professional', 10_000_000, /1 to 10,000,000/],
    ] as const) {
      const unlimited = parseQuery(query, plan);
      assert.deepEqual([unlimited.limit, unlimited.isWhole], [most, true]);
      const limited = parseQuery(`${query}&limit=${most}`, plan);
      assert.deepEqual([limited.limit, limited.isWhole], [most, false]);
      assert.throws(() => parseQuery(`${query}&limit=${most + 1}`, plan), text);
    }
  });

  it('accept 1 to 1,000 distinct stations in the order first requested, duplicates removed (D18)', () => {
    assert.deepEqual(parse({ stations: 'KJFK,EGLL,K0CO,KJFK' }).selection.stations, ['KJFK', 'EGLL', 'K0CO']);
    assert.equal(
      parse({ stations: [...stationCodes(1000), ...stationCodes(1000)].join(',') }).selection.stations.length,
      1000,
    );
    assert.match(errorsWith({ stations: stationCodes(1001).join(',') }).stations ?? '', /1 to 1,000/);
  });

  it('refuse and name a station that is not an uppercase ICAO code (D2, D18)', () => {
    for (const code of [
      'kjfk',
      'KJF',
      'KJFKX',
      '1JFK',
      'KJF-',
      ' KJFK',
      'KJFK ',
      'KJFK\n',
      'ＫＪＦＫ',
      '*',
    ]) {
      const detail = errorsWith({ stations: `EGLL,${code}` }).stations ?? '';
      assert.ok(detail.includes(JSON.stringify(code)), detail);
    }
    assert.match(
      errorsWith({ stations: stationCodes(9).join(',').toLowerCase() }).stations ?? '',
      /"k003" \(write K003\), "k004" \(write K004\) and 4 more$/,
    );
    for (const [code, meant] of [
      ['cyyz', '"cyyz" (write CYYZ)'],
      ['JFK', '"JFK" (did you mean KJFK?)'],
      ['yyz', '"yyz" (did you mean CYYZ?)'],
      ['all', '"all" (name each station; some endpoints take an area, as in country=CA)'],
    ] as const)
      assert.ok(errorsWith({ stations: code }).stations?.endsWith(`found ${meant}`), code);
  });

  it('refuse empty lists and empty items', () => {
    for (const stations of ['', ',', 'KJFK,', ',KJFK', 'KJFK,,EGLL'])
      assert.match(errorsWith({ stations }).stations ?? '', /an empty item/);
    for (const include of ['', 'raw,', 'raw,,decoded'])
      assert.match(errorsWith({ include }).include ?? '', /an empty item/);
  });

  it('accept a limit from 1 to 10,000 in digits, else name the bounds (D22)', () => {
    assert.equal(parse({ limit: '1' }).limit, 1);
    assert.equal(parse({ limit: '10000' }).limit, 10_000);
    for (const limit of ['0', '10001', '1e3', '-1', '+5', '1.0', '0x10', '', ' 5', '٥'])
      assert.match(errorsWith({ limit }).limit ?? '', /from 1 to 10,000/);
  });

  it('accept the types and representations of the specification only (D20, D21)', () => {
    assert.deepEqual(parse({ type: 'speci' }).selection.types, ['SPECI']);
    assert.deepEqual(
      [parse({ include: 'decoded' }).selection.raw, parse({ include: 'decoded,raw' }).selection.raw],
      [false, true],
    );
    for (const type of ['METAR', 'taf', '', 'all,metar', 'toString'])
      assert.ok(errorsWith({ type }).type, type);
    assert.match(errorsWith({ include: 'raw,parsed' }).include ?? '', /"parsed"/);
  });

  it('require from to be earlier than to (D19)', () => {
    assert.match(errorsWith({ to: VALID.from }).from ?? '', /earlier than to/);
    assert.match(errorsWith({ from: '2024-03-01T00:00:00Z' }).from ?? '', /earlier than to/);
    assert.equal(parse({ from: '0000-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' }).limit, 1000);
  });

  it('have hours in place of from and to, never beside them (D81)', () => {
    for (const [query, wrong] of [
      ['hours=2&from=2024-01-01', ['hours']],
      ['hours=2&from=2024-01-01&to=2024-01-02', ['hours']],
      ['hours=0', ['hours']],
      ['hours=99999', ['hours']],
      ['', ['from', 'to']],
    ] as const)
      assert.deepEqual(Object.keys(errors(`stations=KJFK&${query}`)), wrong, query);
  });

  it('explain a + that arrived as a space (D19)', () => {
    assert.match(
      errors(`stations=KJFK&from=2024-01-01T00:00:00+00:00&to=${VALID.to}`).from ?? '',
      /write 2024-01-01T00:00:00Z, which is this time in UTC/,
    );
  });

  it('report all invalid parameters together', () => {
    const query =
      'stations=kjfk&from=2024-02-30T00:00:00Z&to=2024-03-01T00&type=taf&include=x&limit=0&cursor=&station=KJFK&__proto__=1';
    assert.deepEqual(
      Object.keys(errors(query)).sort(),
      ['from', 'include', 'limit', 'station', 'stations', 'to', 'type', 'cursor', '__proto__'].sort(),
    );
    assert.deepEqual(Object.keys(errors('')).sort(), ['from', 'stations', 'to']);
  });

  it('name what can be written in place of an unknown name, and how many stations are too many', () => {
    assert.equal(errors('station=KJFK').station, 'is unknown: the nearest is stations');
    assert.match(errors('tz=utc').tz ?? '', /^is unknown: there are stations/);
    assert.match(errors('format=csv').format ?? '', /^is no parameter: .*observations\.csv/);
    assert.match(
      errorsWith({ include: 'decoded', fields: 'temp,wdir' }).fields ?? '',
      /; found "temp" \(the nearest is temp_c\b.*\)$/,
    );
    for (const name of ['', 'page', 'x'.repeat(9000)])
      assert.match(
        errors(`${name}=1`)[name.slice(0, 64)] ?? '',
        /^is unknown: there are stations, from, to, hours, type, .*limit/,
      );
    assert.match(errorsWith({ stations: stationCodes(1001).join(',') }).stations ?? '', /; found 1,001$/);
    assert.throws(
      () => parseQuery(`stations=KJFK&${TIMES}&=1`),
      /^Problem: A parameter without a name is unknown/,
    );
  });

  it('refuse a parameter that is repeated, even with the same value, unless it is a list', () => {
    for (const { name, schema } of parametersOf(OBSERVATIONS.parameters)) {
      const [valid = ''] = PARAMETER_TEXTS[name as keyof typeof PARAMETER_TEXTS].split('|');
      const once = new URLSearchParams({ ...VALID, include: 'decoded', [name]: valid || 'x' });
      once.append(name, once.get(name) ?? '');
      if (schema.type === 'array') assert.doesNotThrow(() => parseQuery(once.toString()));
      else assert.deepEqual(errors(once.toString()), { [name]: 'is given more than once: write it once' });
    }
  });

  it('take a list with commas, repeated, or both, as clients generated from OpenAPI send it', () => {
    const stationsOf = (query: string) => parseQuery(`${query}&${TIMES}`).selection.stations;
    for (const query of [
      'stations=KJFK,EGLL,XAAA',
      'stations=KJFK&stations=EGLL&stations=XAAA',
      'stations=KJFK,EGLL&stations=XAAA&stations=KJFK',
    ])
      assert.deepEqual(stationsOf(query), ['KJFK', 'EGLL', 'XAAA'], query);
    assert.deepEqual(Object.keys(errors(`stations=KJFK&stations=&${TIMES}`)), ['stations']);
    assert.deepEqual(
      parseQuery(`stations=KJFK&include=raw&include=decoded&${TIMES}`).selection.decoded,
      true,
    );
  });

  it('turn any query string into filters or into a problem that names a parameter', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('KJFK', ...Object.values(VALID), '%00', 'raw', 'decoded', 'all', '1', '1e999', 'null'),
    );
    const name = fc.oneof(
      fc.constantFrom(...parametersOf(OBSERVATIONS.parameters).map((each) => each.name)),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 8 }), fc.string(), (pairs, tail) => {
        const query = `${new URLSearchParams(pairs)}${tail}`;
        try {
          assert.ok(parseQuery(query).selection.stations.length > 0);
        } catch (error) {
          assert.ok(
            error instanceof Problem && error.errors !== undefined && error.errors.length > 0,
            String(error),
          );
        }
      }),
      { numRuns: 500 },
    );
  });
});
