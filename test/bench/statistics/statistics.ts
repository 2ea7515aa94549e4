import { describeArchive } from '../engine.ts';
import { cpuClock, withBenchApi } from '../read/api.ts';
import type { Layout } from '../read/layout.ts';
import { comparedWith, type Other, openOther } from '../read/other.ts';
import type { ReadOptions } from '../read/read.ts';
import { type Figure, formatMs, formatRatio, type Results, Times } from '../results.ts';

type BenchRequest = {
  readonly name: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Each round asks a range that begins this much later, so that nothing of an answer is in memory. */
  readonly unit: 'hour' | 'day' | 'month';
};

const DAYS = { from: '2005-01-01', to: '2026-01-01' };
const YEARS = { from: `${DAYS.from}T00:00:00Z`, to: `${DAYS.to}T00:00:00Z` };
const YEAR = { from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z' };
const WIND_ROSE = 'month,wind_sector(16),class(wspd_kt;4;11;17;22;28)';

const requestsOf = ({ hourly, fifty, thousand, american }: Layout): readonly BenchRequest[] => {
  const of = (unit: BenchRequest['unit'], path: string) => (name: string, query: BenchRequest['query']) => ({
    ...{ name, path, query, unit },
  });
  const statistics = of('hour', 'statistics');
  const one = { ...YEARS, stations: hourly[0] ?? '' };
  return [
    statistics('one station, 21 years: temperature by year and month', {
      ...{ ...one, select: 'mean(temp_c),min(temp_c),max(temp_c)', by: 'year,month' },
    }),
    statistics('one station, 21 years: wind rose by month', { ...one, select: 'count', by: WIND_ROSE }),
    statistics('one station, 21 years: flight category', {
      ...{ ...one, select: 'count', by: 'month,hour,fltcat' },
    }),
    ...[hourly[0] ?? '', american].flatMap((station) => {
      const name = `${station === american ? 'American' : 'one'} station, 21 years`;
      const days = { ...DAYS, stations: station };
      return [
        of('day', 'daily')(`${name}: days`, { ...days, limit: '10000' }),
        of('month', 'normals')(`${name}: normals`, days),
        of('day', 'statistics')(`${name}: days with frost by year and month`, {
          ...{ ...days, of: 'days', select: 'frost:count(min_temp_c < 0)', by: 'year,month' },
        }),
      ];
    }),
    of('day', 'daily')('1,000 stations: one day', {
      ...{ stations: thousand.join(), from: '2024-03-01', to: '2024-03-02', limit: '10000' },
    }),
    statistics('1,000 stations, one year: mean and 95th percentile by month', {
      ...{ ...YEAR, stations: thousand.join(), select: 'mean(temp_c),p95(temp_c)', by: 'month' },
    }),
    ...['wspd_kt >= 32', 'temp_c < -90'].map((filter) =>
      of('hour', 'observations.ndjson')(`50 stations, 21 years: records with ${filter}`, {
        ...{ ...YEARS, stations: fifty.join(), filter },
      }),
    ),
    of('hour', 'hourly.parquet')('50 stations, one year: hourly series', {
      ...{ ...YEAR, stations: fifty.join() },
    }),
  ];
};

/** Statistics, days, filtered streams and hourly series over HTTP, in turn with another api. */
export async function benchStatistics(options: ReadOptions): Promise<Results> {
  return withBenchApi(options, async (archive, api) => {
    const other = await openOther(options);
    const service = { api, cpu: cpuClock(api, archive.engine) };
    const figures: Figure[] = [];
    for (const request of requestsOf(archive.layout))
      figures.push(await measure(request, { service, other, rounds: Number(options.rounds) }));
    await other?.close();
    const about = await describeArchive(archive.engine);
    return {
      about,
      sections: [{ title: 'Medians over HTTP, and of the CPU of api and engine for a request', figures }],
    };
  });
}

type Service = Pick<Other, 'api' | 'cpu'>;

type Measured = {
  readonly service: Service;
  readonly other: Other | undefined;
  readonly rounds: number;
};

async function measure(request: BenchRequest, { service, other, rounds }: Measured): Promise<Figure> {
  const times = new Times();
  // An older commit may lack the endpoint.
  const hasIt = other?.api.download(pathOf(request, -2)).catch(() => undefined);
  const compared = (await hasIt) && other;
  for (let round = -1; round < rounds; round += 1) {
    const path = pathOf(request, round);
    const ask = async (name: string, { api, cpu }: Service) => {
      const before = await cpu();
      await times.measure(name, round, () => api.download(path));
      if (round >= 0) times.add(`${name} CPU`, (await cpu()) - before);
    };
    await ask('service', service);
    await times.measure('again', round, () => service.api.download(path));
    if (compared !== undefined) await ask('other service', compared);
  }
  const [measured, again] = [times.median('service'), times.median('again')];
  const cpuDetail = `CPU ${formatMs(times.median('service CPU'))} ms${comparedWith(compared, times, 'service CPU')}`;
  return {
    ...{ what: request.name, measured, unit: 'ms' },
    detail: `${cpuDetail}; again ${formatMs(again)} ms (${formatRatio(again / measured)})${comparedWith(compared, times, 'service')}`,
  } satisfies Figure;
}

function pathOf({ path, query, unit }: BenchRequest, round: number): string {
  const later = (text = '') => {
    const time = new Date(text);
    if (unit === 'month') time.setUTCMonth(time.getUTCMonth() + round + 2);
    else time.setTime(time.getTime() + (round + 2) * (unit === 'hour' ? 3_600_000 : 86_400_000));
    return unit === 'hour' ? time.toISOString() : time.toISOString().slice(0, 10);
  };
  const moved = { ...query, from: later(query.from), to: later(query.to) };
  return `/v1/history/${path}?${new URLSearchParams(moved)}`;
}
