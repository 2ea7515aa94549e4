import type { Figure } from '../figures.ts';
import type { Api } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import { median } from '../statistics.ts';

const ROUNDS = 3;
const STATIONS = 50;
const HOURS = 366 * 24;

/** A year of 50 stations as Parquet: the hourly series beside the reports that it is made of, with `raw`. */
export async function measureHourlySeries(
  { layout, engine }: BenchArchive,
  api: Api,
): Promise<readonly Figure[]> {
  const stations = layout.fifty.slice(0, STATIONS);
  const query = `stations=${stations.join()}&from=2024-01-01T00:00:00Z&to=2025-01-01T00:00:00Z`;
  const list = stations.map((station) => `'${station}'`).join();
  const reports = Number(
    await engine.http.command(
      `SELECT count() FROM history.observations WHERE station IN (${list}) AND toYear(observedAt) = 2024 FORMAT TSV`,
    ),
  );
  const [series, streams]: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    const hourly = await api.download(`/v1/history/hourly.parquet?${query}`);
    const raw = await api.download(`/v1/history/observations.parquet?${query}&include=raw`);
    if (round < 0) continue;
    series.push(hourly.ms);
    streams.push(raw.ms);
  }
  const [ofSeries, ofStream] = [(STATIONS * HOURS) / median(series), reports / median(streams)];
  return [
    { what: 'rows of the hourly series', measured: ofSeries * 1000, unit: 'a second' },
    { what: 'reports of the same year', measured: ofStream * 1000, unit: 'a second' },
    { what: 'the series, compared with its reports', measured: ofSeries / ofStream, unit: '×', atLeast: 0.5 },
  ];
}
