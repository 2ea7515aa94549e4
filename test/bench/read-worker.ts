import { openArchive } from '../../clickhouse/client.ts';
import { insertRevisions, type Revision } from '../../clickhouse/insert.ts';
import { versionAbove } from '../../clickhouse/version.ts';
import { DECODER_VERSION, decode } from '../../loader/decode.ts';
import { demo } from '../../loader/sources/demo.ts';
import { split } from '../../loader/split.ts';
import type { Job, Piece } from './read-layout.ts';

/** A process of its own, forked with the engine's address: makes the reports of each job it is sent and inserts them. */
const [url = '', database = ''] = process.argv.slice(2);
const client = openArchive({ url, username: 'default', password: '', database });
const source = demo();
const version = versionAbove('demo');

process.on('message', async (job: Job) => {
  const revisions = job.pieces.flatMap(revisionsOf);
  await insertRevisions(client, revisions, new AbortController().signal);
  process.send?.({ id: job.id, reports: revisions.length });
});

function revisionsOf({ atMost, ...piece }: Piece): Revision[] {
  const { fetched } = split(source.make({ source: 'demo', ...piece }));
  return fetched.slice(0, atMost).map(({ sentType, nil, ...held }) => {
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
