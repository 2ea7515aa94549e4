import { formatMs, formatRatio, table } from '../markdown.ts';
import type { Api } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import { median } from '../statistics.ts';

const ROUNDS = 3;
const STATIONS = 50;
const HOURS = 366 * 24;

/** A year of 50 stations as Parquet: the hourly series beside the reports that it is made of, with `raw`. */
export async function measureHourlySeries({ layout, engine }: BenchArchive, api: Api): Promise<string> {
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
  return table(
    ['', 'rows', 'ms', 'rows a second', 'beside the reports'],
    [
      ['hourly series', STATIONS * HOURS, median(series), ofSeries] as const,
      ['reports', reports, median(streams), ofStream] as const,
    ].map(([what, rows, ms, perMs]) => [
      what,
      rows.toLocaleString('en'),
      formatMs(ms),
      Math.round(perMs * 1000).toLocaleString('en'),
      formatRatio(perMs / ofStream),
    ]),
  );
}
