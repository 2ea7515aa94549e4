import assert from 'node:assert/strict';
import { decode } from '../../../../loader/decode.ts';
import { startApi, useApi } from '../../../support/api/api.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';

type Row = Partial<Readonly<Record<'resultant_wdir' | 'resultant_wspd_kt' | 'resultant_n', number>>>;

/** Each hour, because a day with gaps has no means in `daily` (D59). */
const HOURS = 24;

/** Winds that alternate on a day, and their mean vector: direction, speed and the number of variable winds. */
const WINDS: readonly (readonly [
  winds: string,
  wdir?: number | undefined,
  wspd_kt?: number | undefined,
  n?: number,
])[] = [
  ['35020KT 01020KT', 0, 20 * Math.cos(Math.PI / 18), 0],
  ['17010KT 19010KT', 180, 10 * Math.cos(Math.PI / 18), 0],
  ['09010KT 36010KT', 45, Math.SQRT1_2 * 10, 0],
  ['27012KT', 270, 12, 0],
  ['36010KT', 0, 10, 0],
  // Calm has no direction and takes part in the mean speed.
  ['09010KT 00000KT', 90, 5, 0],
  ['00000KT 00000KT', undefined, 0, 0],
  ['VRB00KT', undefined, 0, 0],
  // Winds that cancel out have no direction.
  ['36010KT 18010KT', undefined, 0, 0],
  ['33007KT 15007KT', undefined, 0, 0],
  ['09010KT VRB03KT VRB02KT', 90, 10, 2],
  ['VRB03KT', undefined, undefined, 1],
  // Not measured.
  ['/////KT'],
  ['///05KT 09010KT', 90, 10, 0],
];

describe('the mean wind vector (D66)', () => {
  const archive = useArchive();
  const api = useApi(() => startApi(archive.client));
  before(async () => {
    const reports = WINDS.flatMap(([winds], day) =>
      Array.from({ length: HOURS }, (_, hour) => {
        const wind = winds.split(' ')[hour % winds.split(' ').length];
        const at = new Date(Date.UTC(2024, 0, 1 + day, hour)).toISOString();
        const group = `${at.slice(8, 10)}${at.slice(11, 13)}00Z`;
        const raw = `METAR XAAA ${group} ${wind} 9999 FEW030 10/05 Q1013`;
        const { fields, unexplained } = decode(raw);
        assert.deepEqual(unexplained, [], raw);
        return put(report({ station: 'XAAA', at, raw, decoded: fields }));
      }),
    );
    // A special report takes no part in a mean.
    const special = { station: 'XAAA', at: '2024-01-04T00:30:00Z', type: 'SPECI' } as const;
    await insert(
      archive.client,
      ...reports,
      put(report({ ...special, decoded: { cavok: false, wdir: 90, wspd_kt: 40 } })),
    );
  });

  const daysOf = (question: string) => {
    const query = `stations=XAAA&from=2024-01-01&to=2024-01-${WINDS.length + 1}&tz=utc&${question}`;
    return api.rows<Row>(`/v1/history/${question === '' ? 'daily' : 'statistics'}?${query}`);
  };

  const RESULTANTS = 'select=resultant(wdir),resultant(wspd_kt),resultant_n';
  for (const [name, question] of [
    ['by day', `${RESULTANTS}&by=date`],
    ['in records of days', ''],
    ['among statistics of all reports', `${RESULTANTS},max(wgst_kt)&by=date`],
  ] as const)
    it(`has the direction and speed of winds ${name}`, async () => {
      const days = await daysOf(question);
      for (const [n, [winds, wdir, wspd_kt, variable]] of WINDS.entries()) {
        const { resultant_wdir, resultant_wspd_kt, resultant_n } = days[n] as Row;
        const isNear = (value?: number, expected?: number) =>
          value === expected || Math.abs((value ?? Number.NaN) - (expected ?? Number.NaN)) < 1e-6;
        const text = `${winds}: ${JSON.stringify(days[n])}`;
        assert.ok(isNear(resultant_wdir, wdir), text);
        assert.ok(isNear(resultant_wspd_kt, wspd_kt), text);
        const times = HOURS / winds.split(' ').length;
        assert.equal(resultant_n, variable && variable * times, text);
      }
    });

  it('counts winds up to a speed as calm, variable ones too, where wind_sector says so', async () => {
    const ask = async (by: string) => {
      const query = `stations=XAAA&from=2024-01-11T00:00:00Z&to=2024-01-12T00:00:00Z&select=count&by=${by}`;
      const rows = await api.rows(`/v1/history/statistics?${query}`);
      return rows.map(({ wind_sector, n }) => `${wind_sector} ${n}`);
    };
    // 09010KT VRB03KT VRB02KT
    assert.deepEqual(await ask('wind_sector(12)'), ['3 8', 'variable 16']);
    assert.deepEqual(await ask('wind_sector(12;calm=2)'), ['3 8', 'calm 8', 'variable 8']);
    assert.deepEqual(await ask('wind_sector(8;calm=10)'), ['calm 24']);
  });

  it('has exact directions, and never 360 or -0', async () => {
    const [first, , , , north] = await daysOf('select=resultant(wdir)&by=date');
    assert.ok(Object.is(first?.resultant_wdir, 0) && Object.is(north?.resultant_wdir, 0));
  });
});
