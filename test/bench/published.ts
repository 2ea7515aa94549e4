import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openArchive } from '../../clickhouse/client.ts';
import { recordStationDescriptions } from '../../clickhouse/stations.ts';
import { type BenchEngine, openBenchEngine, runLoader } from './engine.ts';
import { startApi } from './read/api.ts';
import type { Figure, Results, Section } from './results.ts';

/** Elements of GHCN-Daily: precipitation in tenths of mm, extremes in tenths of °C. */
const ELEMENTS = ['PRCP', 'TMIN', 'TMAX'] as const;
type PublishedDay = Partial<Record<(typeof ELEMENTS)[number], number>>;

/** A record of `/v1/history/daily`. */
type Day = {
  readonly date: string;
  readonly precip_in?: number;
  readonly min_temp_c?: number;
  readonly max_temp_c?: number;
};
type Pair = { readonly ours: Day; readonly published: PublishedDay };

const MM_PER_INCH = 25.4;
/** What NOAA counts as a day with precipitation: 0.01 in, published as 3 tenths of a millimeter. */
const LEAST_INCHES = 0.01;

/**
 * Loads files of reports of one station into a new archive, and compares its days with the table of GHCN-Daily for the same
 * station.
 */
export async function benchPublished(options: {
  readonly reports: string;
  readonly table: string;
  readonly tz: string;
}): Promise<Results> {
  if (options.reports === '' || options.table === '')
    throw new Error(
      'Name a file or folder of reports with --reports and a table of GHCN-Daily with --table.',
    );
  const published = readTable(await readText(options.table));
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-published-'));
  const engine = await openBenchEngine(dataDir);
  try {
    await runLoader(engine, `import ${options.reports}`);
    const api = await startApi(engine);
    const get = async (path: string) =>
      JSON.parse((await api.get(`/v1/history/${path}`)).body.toString()).data;
    try {
      const [described, ...others] = await get('stations?limit=2');
      if (described === undefined || others.length > 0)
        throw new Error('The reports have to be those of one station.');
      const { station, firstReport, lastReport } = described;
      const [from, to] = [addDays(firstReport, -1), addDays(lastReport, 2)];
      await describeZone(engine, station, options.tz);
      const days: readonly Day[] = await get(`daily?stations=${station}&from=${from}&to=${to}&limit=10000`);
      const pairs = days.flatMap((ours) => {
        const day = published.get(ours.date);
        return day === undefined ? [] : [{ ours, published: day }];
      });
      const [first, last] = [pairs[0], pairs.at(-1)];
      if (first === undefined || last === undefined)
        throw new Error('The table has no day of these reports.');
      return {
        about: `${station}, ${pairs.length} days from ${first.ours.date} to ${last.ours.date}, against GHCN-Daily.`,
        sections: [precipitation(pairs), temperatures(pairs)],
      };
    } finally {
      await api.stop();
    }
  } finally {
    await engine.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Says in which zone the days of the station are. */
async function describeZone({ admin }: BenchEngine, station: string, timezone: string): Promise<void> {
  const archive = openArchive(admin);
  try {
    const ranks = { rank: 1, elevationRank: 1 };
    await recordStationDescriptions(archive, [{ source: 'iem', station, timezone }], ranks);
  } finally {
    await archive.close();
  }
}

function addDays(time: string, days: number): string {
  return new Date(Date.parse(time) + days * 86_400_000).toISOString().slice(0, 10);
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

/**
 * A table of the folder `by_station`, with rows such as `USW00094789,20200101,PRCP,13,,,W,2400`. The sixth column is set if
 * the value failed a quality check.
 */
function readTable(text: string): ReadonlyMap<string, PublishedDay> {
  const days = new Map<string, PublishedDay>();
  for (const line of text.split('\n')) {
    const [, day = '', name, value, , quality] = line.split(',');
    const element = ELEMENTS.find((each) => each === name);
    if (element === undefined || !/^\d{8}$/.test(day) || quality !== '') continue;
    const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
    days.set(date, { ...days.get(date), [element]: Number(value) });
  }
  return days;
}

function precipitation(pairs: readonly Pair[]): Section {
  const amounts = pairs.flatMap(({ ours, published: { PRCP } }) =>
    PRCP === undefined ? [] : [{ ours: ours.precip_in, published: PRCP / 10 }],
  );
  const known = amounts.flatMap(({ ours, published }) =>
    ours === undefined ? [] : [{ ours: ours * MM_PER_INCH, inches: ours, published }],
  );
  const total = (of: 'ours' | 'published') => known.reduce((sum, day) => sum + day[of], 0);
  const count = (what: string, days: number): Figure => ({ what, measured: days, unit: 'days' });
  const isWet = (millimeters: number) => millimeters / MM_PER_INCH >= LEAST_INCHES;
  return {
    title: 'Precipitation',
    figures: [
      count('days with a total of both', known.length),
      count('published days without a total of ours', amounts.length - known.length),
      { what: 'sum, ours', measured: total('ours'), unit: 'mm' },
      { what: 'sum, published', measured: total('published'), unit: 'mm' },
      { what: 'ours, compared with published', measured: total('ours') / total('published'), unit: '×' },
      count(
        'published 0.01 in or more, ours 0',
        known.filter((day) => isWet(day.published) && day.inches === 0).length,
      ),
      count(
        'published 0, ours 0.01 in or more',
        known.filter((day) => day.published === 0 && day.inches >= LEAST_INCHES).length,
      ),
      count('within 0.01 in', known.filter((day) => Math.abs(day.ours - day.published) < 0.35).length),
    ],
  };
}

function temperatures(pairs: readonly Pair[]): Section {
  const of = (name: 'min_temp_c' | 'max_temp_c', element: 'TMIN' | 'TMAX') =>
    pairs.flatMap(({ ours: { date, [name]: ours }, published: { [element]: published } }) =>
      ours === undefined || published === undefined ? [] : [{ date, ours, published: published / 10 }],
    );
  const figuresOf = (what: string, days: ReturnType<typeof of>): readonly Figure[] => {
    const far = days.filter(({ ours, published }) => Math.abs(ours - published) > 1.0001);
    const detail = far
      .map(({ date, ours, published }) => `${date}: ${ours}, published ${published}`)
      .join('; ');
    return [
      { what: `${what}, days with both`, measured: days.length, unit: 'days' },
      {
        what: `${what}, days within 1 °C`,
        measured: days.length - far.length,
        unit: 'days',
        detail,
      },
    ];
  };
  const minima = of('min_temp_c', 'TMIN');
  const frost = (of: 'ours' | 'published') => minima.filter((day) => isFrost(day[of])).length;
  return {
    title: 'Temperature',
    figures: [
      ...figuresOf('minimum', minima),
      ...figuresOf('maximum', of('max_temp_c', 'TMAX')),
      { what: 'frost days, ours', measured: frost('ours'), unit: 'days' },
      { what: 'frost days, published', measured: frost('published'), unit: 'days' },
    ],
  };
}

/** `M00` is −0, which is below 0 °C. */
function isFrost(celsius: number): boolean {
  return celsius < 0 || Object.is(celsius, -0);
}
