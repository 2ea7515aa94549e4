import type { PartialDecoded } from '../../../clickhouse/model/fields.ts';
import type { Report } from '../../../clickhouse/model/report.ts';
import { report } from '../archive/archive.ts';

type Random = () => number;

/** Stations in zones with whole and half hours, and with changes of an hour, of half an hour, and none. */
export const ZONES = {
  XNYC: ['America/New_York', 40.64, -73.78],
  XDEL: ['Asia/Kolkata', 28.57, 77.1],
  XKTM: ['Asia/Kathmandu', 27.7, 85.36],
  XLHI: ['Australia/Lord_Howe', -31.54, 159.08],
  XLON: ['Europe/London', 51.47, -0.46],
} as const;

export type Station = keyof typeof ZONES;
export const STATIONS = Object.keys(ZONES) as readonly Station[];

/** Periods with the turn of a year and all changes of clocks; days from 2023-12-01 on. */
const DAYS = [
  28, 29, 30, 31, 32, 91, 99, 100, 101, 102, 121, 122, 123, 127, 128, 310, 311, 331, 332, 338, 339,
];

const START = Date.UTC(2023, 11, 1);

/** Reports of all stations: METARs of each hour or half hour, SPECIs, gaps, and fields that are absent at random. */
export function randomReports(random: Random): readonly Report[] {
  return STATIONS.flatMap((station, n) => {
    /** Hours that follow without a report, as where a station is closed. */
    let closed = 0;
    return DAYS.flatMap((day) =>
      Array.from({ length: 24 }, (_, hour) => hour).flatMap((hour) => {
        if (random() < 0.01) closed = 1 + Math.floor(random() * 20);
        closed -= 1;
        if (closed >= 0 || random() < 0.05) return [];
        const place = { station, day, hour };
        const minutes = n % 2 === 0 ? [51] : [0, 30];
        const ofHour = minutes.map((minute) => randomReport(random, { ...place, minute, type: 'METAR' }));
        const minute = Math.floor(random() * 60);
        const special = randomReport(random, { ...place, minute, type: 'SPECI' });
        const reports = random() < 0.15 ? [...ofHour, special] : ofHour;
        return reports.flatMap((report) => (random() < 0.1 ? [report, corrected(random, report)] : [report]));
      }),
    );
  });
}

/** Another report of the same minute and type, mostly a correction. */
function corrected(random: Random, { raw, decoded: _, fingerprint: __, ...about }: Report): Report {
  const at = new Date(about.observedAt * 1000).toISOString();
  const decoded = {
    ...randomDecoded(random, about),
    cor: random() < 0.8 ? (true as const) : undefined,
  };
  const own = `${raw.split(' ', 4).join(' ')} CORRECTED ${Math.floor(random() * 1e9)}`;
  return report({ ...about, at, raw: about.clean ? own : own + namedBy(decoded), decoded });
}

function randomReport(
  random: Random,
  about: {
    readonly station: Station;
    readonly day: number;
    readonly hour: number;
    readonly minute: number;
    readonly type: Report['type'];
  },
): Report {
  const { station, day, hour, minute, type } = about;
  const time = START + ((day * 24 + hour) * 60 + minute) * 60_000;
  const at = new Date(time).toISOString().replace('.000Z', 'Z');
  const raw = `${station} ${at} ${type} ${Math.floor(random() * 1e9)}`;
  if (random() < 0.02) return report({ at, station, type, raw, decoded: { cavok: false, nil: true } });
  const clean = random() >= 0.03;
  const decoded = randomDecoded(random, { station, observedAt: time / 1000 });
  return report({ at, station, type, clean, raw: clean ? raw : raw + namedBy(decoded), decoded });
}

/** What the text of an unreadable report names (D78). */
function namedBy({ wx = '', pcp1h_in }: PartialDecoded): string {
  return pcp1h_in === undefined
    ? ` ${wx}`
    : ` ${wx} RMK P${String(Math.round(pcp1h_in * 100)).padStart(4, '0')}`;
}

/** Every other day is dry. */
const isWetDay = (time: number) => Math.floor(time / 86_400) % 2 === 0;

/** @param report amounts and extremes of six and 24 hours come at their hours, and where there is a gauge */
export function randomDecoded(
  random: Random,
  { station, observedAt }: Pick<Report, 'station' | 'observedAt'>,
): PartialDecoded {
  const maybe = <T>(value: () => T, share = 0.85): T | undefined => (random() < share ? value() : undefined);
  const below = (most: number) => Math.floor(random() * most);
  const among = <T>(values: readonly T[]) => values[below(values.length)] as T;
  const isVariable = random() < 0.1;
  const speed = maybe(() => Math.max(0, below(35) - 3));
  const hour = Math.round(observedAt / 3600) % 24;
  // Extremes are about those of the temperatures and of each other, since 2 °C decide (D60).
  const [isSixth, isLast] = [hour % 6 === 0, hour === 12];
  const [isWet, gauge] = [isWetDay(observedAt), station === 'XLON' ? 0 : 1];
  const weather = ['TS', 'FG', 'VCSH', 'HZ', 'BLSN', ...(isWet ? ['-SHRA BR', 'SN', '+TSRA'] : [])];
  return {
    temp_c: maybe(() => among(['-0', '0', ...Array(8).fill(`${below(60) - 20}${among(['', '.6'])}`)])),
    dewp_c: maybe(() => `${below(30) - 20}`),
    wdir: speed === undefined || isVariable ? undefined : speed === 0 ? 0 : 10 * (1 + below(36)),
    wdir_vrb: isVariable ? true : undefined,
    wspd_kt: speed,
    wgst_kt: maybe(() => 15 + below(40), 0.1),
    visib_m: maybe(() => among([100, 400, 800, 1500, 3000, 5000, 9999, 10000])),
    wx: maybe(() => among(weather), 0.3),
    clouds: maybe(
      () =>
        Array.from({ length: 1 + below(2) }, () => ({
          cover: among(['FEW', 'SCT', 'BKN', 'OVC'] as const),
          ...(random() < 0.95 && { base_ft: 100 * (1 + below(60)) }),
        })),
      0.7,
    ),
    vvis_ft: maybe(() => 100 * below(5), 0.05),
    cavok: random() < 0.1,
    altim_hpa: maybe(() => (9800 + below(500)) / 10),
    slp_hpa: maybe(() => (9800 + below(500)) / 10, 0.5),
    pcp1h_in: maybe(() => below(20) / 100, gauge * (isWet ? 0.3 : 0.01)),
    pcp1h_trace: maybe(() => true as const, 0.1),
    pcp3h_in: maybe(() => below(20) / 100, hour % 3 === 0 && !isSixth ? gauge * 0.1 : 0),
    pcp6h_in: maybe(() => below(60) / 100, isSixth ? gauge * 0.4 : 0),
    pcp24h_in: maybe(() => below(200) / 100, isLast ? gauge * 0.3 : 0),
    maxt6_c: maybe(() => (380 + below(30)) / 10, isSixth ? 0.9 : 0),
    mint6_c: maybe(() => (below(30) - 230) / 10, isSixth ? 0.9 : 0),
    maxt24_c: maybe(() => (380 + below(70)) / 10, hour === 0 || hour === 5 ? 0.5 : 0),
    mint24_c: maybe(() => (below(70) - 270) / 10, hour === 0 || hour === 5 ? 0.5 : 0),
    pk_wspd_kt: maybe(() => 26 + below(40), 0.1),
    pk_time: maybe(() => `${below(24)}`.padStart(2, '0') + `${below(60)}`.padStart(2, '0'), 0.9),
    station_type: maybe(() => 'AO2' as const, gauge * 0.2),
    pno: maybe(() => true as const, 0.1),
    tsno: maybe(() => true as const, 0.1),
    fltcat: maybe(() => among(['VFR', 'MVFR', 'IFR', 'LIFR'] as const)),
  };
}

/** Standard offsets of the zones of the random reports, in seconds. */
const STANDARD: Readonly<Record<string, number>> = {
  'America/New_York': -18_000,
  'Asia/Kolkata': 19_800,
  'Asia/Kathmandu': 20_700,
  'Australia/Lord_Howe': 37_800,
  'Europe/London': 0,
};

export function standardShift(zone: string): number {
  return STANDARD[zone] ?? Number.NaN;
}
