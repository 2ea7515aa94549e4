import assert from 'node:assert/strict';
import { readStatus, statusLines } from '../../../../loader/commands/status.ts';
import { insert, put, report, retract, useArchive } from '../../../support/archive/archive.ts';
import { day, list, recordDone } from '../../../support/archive/ledger.ts';

const NOW = new Date('2024-03-01T12:00:00Z');
describe('status of an archive', () => {
  const archive = useArchive();
  const read = (stations?: readonly string[]) => readStatus(archive.client, stations, NOW);
  const linesOf = async (stations?: readonly string[]) => statusLines(await read(stations), NOW);
  before(async () => {
    const { client } = archive;
    await list(
      client,
      { source: 'iem', station: 'XAAA', firstDay: day('2022-12-31') },
      { source: 'ogimet', station: 'XAAA', firstDay: day('2022-12-31') },
      { source: 'iem', station: 'XAAB', firstDay: day('2023-01-01'), lastDay: day('2023-01-10') },
    );
    await recordDone(client, '2023-01-01', '2023-12-01');
    await recordDone(client, '2023-12-05', '2024-01-01', { source: 'ogimet' });
    await recordDone(client, '2023-01-02', '2023-01-03', { station: '*' });
    const twice = report({ at: '2023-05-05T00:00:00Z' });
    const special = report({ at: '2023-05-05T01:07:00Z' });
    await insert(
      archive.client,
      put(twice),
      put({ ...twice, source: 'ogimet' }),
      put(report({ at: '2023-05-05T01:00:00Z' })),
      put(special),
      retract(special, 2 ** 28),
      put({ ...special, type: 'SPECI' }, 2 ** 28),
      put(report({ at: '2023-05-05T02:00:00Z', decoded: { nil: true, cavok: false } })),
      put(report({ at: '2023-02-02T00:00:00Z', station: 'XAAC' })),
    );
  });

  it('says the same as JSON', async () => {
    const { years } = await read();
    assert.deepEqual(years.find(({ year }) => year === 2023)?.reports, { iem: 3, ogimet: 1 });
    assert.deepEqual((await read(['XAAB'])).stations, [
      {
        station: 'XAAB',
        listedBy: ['iem'],
        years: [
          {
            year: 2023,
            daysDue: 10,
            daysDone: 1,
            reports: {},
            missing: [
              { from: '2023-01-01', to: '2023-01-02' },
              { from: '2023-01-03', to: '2023-01-11' },
            ],
          },
        ],
      },
    ]);
  });

  it('counts due and done days (D13), and current reports once, under the source of their text, without NIL', async () => {
    assert.deepEqual(await linesOf(['XAAA', 'XAAB', 'XAAD']), [
      'XAAA 2022: 0 of 1 days done, missing 2022-12-31 to 2023-01-01, no reports',
      'XAAA 2023: 361 of 365 days done, missing 2023-12-01 to 2023-12-05, 3 reports (iem 2, ogimet 1)',
      'XAAA 2024: 0 of 57 days done, missing 2024-01-01 to 2024-02-27, no reports',
      'XAAB 2023: 1 of 10 days done, missing 2023-01-01 to 2023-01-02, 2023-01-03 to 2023-01-11, no reports',
      'XAAD: no reports; no source lists this station, so none of its days count as done',
    ]);
  });

  it('lists all stations one by one, with those that only files have brought and whose days are not due', async () => {
    const lines = await linesOf([]);
    assert.deepEqual([...new Set(lines.map((line) => line.slice(0, 4)))], ['XAAA', 'XAAB', 'XAAC']);
    assert.match(lines.at(-1) ?? '', /^XAAC 2023: no source lists this station, 1 report \(iem\)/);
    const ofFiles = 'files: 1 report of 1 station that no source lists; no day of theirs is due';
    assert.ok((await linesOf()).includes(ofFiles));
  });
});
