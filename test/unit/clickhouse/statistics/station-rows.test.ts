import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { Archive, Select } from '../../../../clickhouse/archive.ts';
import { Pauses } from '../../../../clickhouse/pauses.ts';
import type { Question } from '../../../../clickhouse/statistics/question.ts';
import { StatementSource } from '../../../../clickhouse/statistics/statement.ts';
import { readStations } from '../../../../clickhouse/statistics/station-rows.ts';

const SECONDS_PER_YEAR = 365 * 86_400;

/** The groups of stations whose longer times are read one after another. Each station has a row in which a report gives an amount. */
async function groupsRead(
  stationCount: number,
  years: number,
  asked: Partial<Question> = {},
): Promise<readonly (readonly string[])[]> {
  const stations = Array.from({ length: stationCount }, (_, n) => `X${String(n).padStart(3, '0')}`);
  const lines = stations.map((_, n) => [n, '1', '1', '0', '14610', '1', '24'].join('\t'));
  const groups: (readonly string[])[] = [];
  const presence: (readonly string[])[] = [];
  const archive = {
    stream: async ({ params }: Select) => {
      if (params?.group === undefined) return Readable.from([Buffer.from(`${lines.join('\n')}\n`)]);
      presence.push(params.group as readonly string[]);
      return Readable.from([]);
    },
    select: async ({ params }: Select) => {
      groups.push(params?.group as readonly string[]);
      return Buffer.alloc(0);
    },
  } as unknown as Archive;
  const from = Date.UTC(2010, 0) / 1000;
  const question: Question = {
    ...{ stations, from, to: from + years * SECONDS_PER_YEAR },
    types: ['METAR', 'SPECI'],
    sample: 'auto',
    statistics: [{ name: 'total_pcp1h_in', kind: 'total', field: 'pcp1h_in' }],
    groups: [{ kind: 'calendar', unit: 'date' }],
    ...asked,
  };
  const source = new StatementSource(question, [{ offsets: [{ from: 0, seconds: 0 }], stations }]);
  const read: number[] = [];
  for await (const rows of readStations(archive, source, new Pauses()))
    for (const { station } of rows) read.push(station);
  assert.deepEqual(read, [...stations.keys()]);
  assert.deepEqual(groups.flat(), stations);
  assert.deepEqual(presence, asked.days === 'complete' ? groups : []);
  return groups;
}

describe('reports with something of longer times', () => {
  it('those of 25 station-years at most are in memory, or those of one station', async () => {
    for (const [stations, years] of [
      [1000, 1],
      [100, 10],
      [40, 15],
    ] as const)
      for (const group of await groupsRead(stations, years)) assert.ok(group.length * years <= 25);
    assert.equal((await groupsRead(3, 16)).length, 3);
  });

  it('which days have reports is read for as many, where the rows do not tell', async () => {
    assert.equal((await groupsRead(50, 1, { types: ['SPECI'], days: 'complete' })).length, 2);
  });

  it('a week of 100 stations is read at once', async () => {
    assert.equal((await groupsRead(100, 7 / 365)).length, 1);
  });
});
