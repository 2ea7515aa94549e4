import { DATABASE } from '../engine.ts';
import { type Section, Times } from '../results.ts';
import type { Api } from './api.ts';
import type { BenchArchive } from './archive.ts';
import { comparedWith, type Other } from './other.ts';
import { fresh, streamPathOf, yearsOf } from './queries.ts';

const FORMATS = ['csv', 'ndjson', 'parquet', 'arrow'];
const HIGHEST_LIMIT = 1_000_000;
const ROUNDS = 5;

/** The 21 years of one station with `raw`, without compression, in turn with another api. */
export async function measureStreams(
  { layout, engine }: BenchArchive,
  api: Api,
  other: Other | undefined,
): Promise<Section> {
  const query = { ...yearsOf(layout.hourly[0] ?? ''), limit: HIGHEST_LIMIT };
  const records = await engine.http.command(
    `SELECT count() FROM ${DATABASE}.observations WHERE station = '${query.name}' FORMAT TSV`,
  );
  const times = new Times();
  const megabytes = new Map<string, number>();
  for (let round = -1; round < ROUNDS; round += 1)
    for (const format of FORMATS) {
      const path = streamPathOf(fresh(query), format);
      const { bytes } = await times.measure(format, round, () => api.download(path));
      megabytes.set(format, bytes / 2 ** 20);
      if (other !== undefined) await times.measure(`other ${format}`, round, () => other.api.download(path));
    }
  return {
    title: 'Streams: one station, 21 years, with `raw`',
    figures: FORMATS.map((format) => ({
      what: format,
      measured: (1000 * Number(records)) / times.median(format),
      unit: 'a second',
      detail: `${records} records, ${megabytes.get(format)?.toFixed(1)} MB${comparedWith(other, times, format)}`,
    })),
  };
}
