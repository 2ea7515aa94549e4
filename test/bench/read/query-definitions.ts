import type { Layout } from './build/layout.ts';

/** The parameters of a request; times in seconds since 1970-01-01T00:00:00Z. */
export type Filters = {
  readonly stations: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly type: 'all' | 'metar' | 'speci';
  readonly include: readonly ('raw' | 'decoded')[];
};
export type QueryDefinition = Partial<Pick<Filters, 'type' | 'include'>> & {
  readonly name: string;
  readonly stations: readonly string[] | 'one';
  readonly range: 'month' | 'years';
  readonly limit?: number;
  /** The first page where absent. */
  readonly page?: 'middle' | 'last';
  readonly encoding?: 'gzip' | 'br';
};

const ONE_STATION = { stations: 'one', range: 'years' } as const;

/** Pages have 1,000 records and `raw` unless the name says otherwise. */
export function queryDefinitions({ fifty, thousand, sparse, unknown }: Layout): readonly QueryDefinition[] {
  return [
    { name: '1 station, 1 month', stations: 'one', range: 'month' },
    { name: '1 station, 21 years, first page', ...ONE_STATION },
    { name: '1 station, 21 years, middle page', ...ONE_STATION, page: 'middle' },
    { name: '1 station, 21 years, last page', ...ONE_STATION, page: 'last' },
    { name: '1 station, 21 years, SPECI only', ...ONE_STATION, type: 'speci' },
    { name: '1 station, 21 years, decoded', ...ONE_STATION, include: ['decoded'] },
    { name: '1 station, 21 years, raw and decoded', ...ONE_STATION, include: ['raw', 'decoded'] },
    { name: '1 station, 21 years, gzip', ...ONE_STATION, encoding: 'gzip' },
    { name: '1 station, 21 years, brotli', ...ONE_STATION, encoding: 'br' },
    { name: '10 reports a year, 21 years', stations: [sparse], range: 'years' },
    { name: 'unknown station, 21 years', stations: [unknown], range: 'years' },
    { name: '50 stations, 1 month', stations: fifty, range: 'month' },
    { name: '50 stations, 21 years', stations: fifty, range: 'years' },
    { name: '1,000 stations, 21 years', stations: thousand, range: 'years' },
    { name: 'limit 1', ...ONE_STATION, limit: 1 },
    { name: 'limit 100', ...ONE_STATION, limit: 100 },
    { name: 'limit 10,000', ...ONE_STATION, limit: 10_000 },
    { name: 'limit 500: 1 station, 1 month', stations: 'one', range: 'month', limit: 500 },
    { name: 'limit 500: 1 station, 21 years', ...ONE_STATION, limit: 500 },
    { name: 'limit 500: 1 station, 21 years, middle page', ...ONE_STATION, limit: 500, page: 'middle' },
    { name: 'limit 500: 10 reports a year, 21 years', stations: [sparse], range: 'years', limit: 500 },
    { name: 'limit 500: unknown station, 21 years', stations: [unknown], range: 'years', limit: 500 },
    { name: 'limit 500: 50 stations, 21 years', stations: fifty, range: 'years', limit: 500 },
    { name: 'limit 500: 1,000 stations, 21 years', stations: thousand, range: 'years', limit: 500 },
  ];
}
