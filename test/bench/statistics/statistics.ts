import { describeArchive } from '../engine.ts';
import { type Api, withBenchApi } from '../read/api.ts';
import type { Layout } from '../read/layout.ts';
import { comparedWith, type Other, openOther } from '../read/other.ts';
import type { ReadOptions } from '../read/read.ts';
import { type Figure, formatMs, formatRatio, type Results, Times } from '../results.ts';

type BenchRequest = {
  readonly name: string;
  readonly path: 'statistics' | 'observations.ndjson' | 'hourly.parquet';
  readonly query: Readonly<Record<string, string>>;
};

const requestsOf = ({ hourly, fifty, thousand }: Layout): readonly BenchRequest[] => {
  const one = { stations: hourly[0] ?? '', from: '2005-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
  const years = { ...one, stations: fifty.join() };
  const year = { from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z' };
  const ask = (name: string, query: BenchRequest['query']) => ({ name, path: 'statistics' as const, query });
  return [
    ask('one station, 21 years: temperature by year and month', {
      ...one,
      ...{ select: 'mean(temp_c),min(temp_c),max(temp_c)', by: 'year,month' },
    }),
    ask('one station, 21 years: wind rose by month', {
      ...one,
      ...{ select: 'count', by: 'month,wind_sector(16),class(wspd_kt;4;11;17;22;28)' },
    }),
    ask('one station, 21 years: flight category', { ...one, select: 'count', by: 'month,hour,fltcat' }),
    ask('one station, 21 years: days', { ...one, preset: 'daily', tz: 'standard' }),
    ask('one station, 21 years: normals', { ...one, preset: 'normals', tz: 'standard' }),
    ask('1,000 stations, one year: mean and 95th percentile by month', {
      ...year,
      ...{ stations: thousand.join(), select: 'mean(temp_c),p95(temp_c)', by: 'month' },
    }),
    ...['wspd_kt >= 32', 'temp_c < -90'].map((filter) => ({
      ...{ name: `50 stations, 21 years: records with ${filter}`, path: 'observations.ndjson' as const },
      query: { ...years, filter },
    })),
    {
      ...{ name: '50 stations, one year: hourly series', path: 'hourly.parquet' },
      query: { ...year, stations: fifty.join() },
    },
  ];
};

/** Statistics, filtered streams and hourly series over HTTP, in turn with another api. */
export async function benchStatistics(options: ReadOptions): Promise<Results> {
  return withBenchApi(options, async (archive, api) => {
    const other = await openOther(options);
    const figures: Figure[] = [];
    for (const request of requestsOf(archive.layout))
      figures.push(await measure(request, api, other, Number(options.rounds)));
    await other?.close();
    const about = await describeArchive(archive.engine);
    return { about, sections: [{ title: 'Medians over HTTP', figures }] };
  });
}

async function measure(request: BenchRequest, api: Api, other: Other | undefined, rounds: number) {
  const times = new Times();
  for (let round = -1; round < rounds; round += 1) {
    const path = pathOf(request, round);
    await times.measure('service', round, () => api.download(path));
    await times.measure('again', round, () => api.download(path));
    if (other !== undefined) await times.measure('other service', round, () => other.api.download(path));
  }
  const [service, again] = [times.median('service'), times.median('again')];
  const detail = `again ${formatMs(again)} (${formatRatio(again / service)})${comparedWith(other, times, 'service')}`;
  return { what: request.name, measured: service, unit: 'ms', detail } satisfies Figure;
}

/** Another end in each round: nothing of an answer is in memory. */
function pathOf({ path, query }: BenchRequest, round: number): string {
  const to = new Date(Date.parse(query.to ?? '') - (round + 1) * 3_600_000).toISOString();
  return `/v1/history/${path}?${new URLSearchParams({ ...query, to })}`;
}
