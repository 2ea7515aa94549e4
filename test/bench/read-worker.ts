import { openArchive } from '../../clickhouse/client.ts';
import { addDays, type Day } from '../../clickhouse/model/day.ts';
import { versionAbove } from '../../clickhouse/model/row-version.ts';
import { insertRevisions, type Revision } from '../../clickhouse/observations/insert.ts';
import { DECODER_VERSION, decode } from '../../loader/decode.ts';
import { normalize } from '../../loader/pipeline/normalize.ts';
import { demo } from '../../loader/sources/demo/demo.ts';
import { TEMPLATE_DAYS, TEMPLATE_START } from './read-layout.ts';

/** A process of its own, forked with the engine's address: loads the template of each station that it is sent. */
const [url = '', database = ''] = process.argv.slice(2);
const client = openArchive({ url, username: 'default', password: '', database });
const source = demo();
const version = versionAbove('demo');

process.on('message', async (station: string) => {
  const endDay = addDays(TEMPLATE_START, TEMPLATE_DAYS);
  const revisions = revisionsOf(station, TEMPLATE_START, endDay);
  await insertRevisions(client, revisions, new AbortController().signal);
  process.send?.(station);
});

function revisionsOf(station: string, firstDay: Day, endDay: Day): Revision[] {
  const { reports } = normalize(source.generate({ source: 'demo', station, firstDay, endDay }));
  return reports.map(({ sentType, nil, ...held }) => {
    const { fields, unexplained } = decode(held.raw);
    const report = {
      ...held,
      source: 'demo',
      type: sentType ?? 'METAR',
      outcome: unexplained.length === 0 ? 'clean' : 'unclean',
      decoder: DECODER_VERSION,
      decoded: fields,
    } as const;
    return { kind: 'put', report, version };
  });
}
