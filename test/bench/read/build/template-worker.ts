import { type ArchiveSettings, openArchive } from '../../../../clickhouse/client.ts';
import { addDays } from '../../../../clickhouse/model/day.ts';
import { versionAbove } from '../../../../clickhouse/model/row-version.ts';
import { insertRevisions, type Revision } from '../../../../clickhouse/observations/insert.ts';
import { DECODER_VERSION, decode } from '../../../../loader/decode.ts';
import { normalize } from '../../../../loader/pipeline/normalize.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { TEMPLATE_DAYS, TEMPLATE_START } from './layout.ts';

export type TemplateTask = { readonly archive: ArchiveSettings; readonly station: string };

const source = demo();
const version = versionAbove(1);

/** A process of its own. It loads the year of each template station that it gets as a message, and answers with its name. */
process.on('message', async ({ archive, station }: TemplateTask) => {
  const client = openArchive(archive);
  await insertRevisions(client, reportsOf(station), new AbortController().signal);
  await client.close();
  process.send?.(station);
});

function reportsOf(station: string): Revision[] {
  const endDay = addDays(TEMPLATE_START, TEMPLATE_DAYS);
  const { reports } = normalize(
    source.generate({ source: 'demo', station, firstDay: TEMPLATE_START, endDay }),
  );
  return reports.map(({ sentType, nil, ...normalized }) => {
    const { fields, unexplained } = decode(normalized.raw);
    const report = {
      ...normalized,
      source: 'demo',
      type: sentType ?? 'METAR',
      outcome: unexplained.length === 0 ? 'clean' : 'unclean',
      decoder: DECODER_VERSION,
      decoded: fields,
    } as const;
    return { kind: 'put', report, version };
  });
}
