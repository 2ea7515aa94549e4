import type { Decoded, Observation } from '../../../client/client.d.ts';
import { HOUR, toNumber } from '../format.ts';
import { visibilityText } from './report-words.ts';
import { convert, unitOf } from './units.ts';

export type Values = ReturnType<typeof reportValues>;

/** From best to worst, with what each means (FAA, AIM 7-1-7). */
export const CATEGORIES = {
  VFR: 'ceiling above 3000 ft and visibility above 5 SM',
  MVFR: 'ceiling 1000 to 3000 ft or visibility 3 to 5 SM',
  IFR: 'ceiling 500 to below 1000 ft or visibility 1 to below 3 SM',
  LIFR: 'ceiling below 500 ft or visibility below 1 SM',
};

/** The fields of a report, with miles only where it has them itself. */
export function decodedOf({ raw = '', decoded = {} }: Pick<Observation, 'raw' | 'decoded'>): Decoded {
  const { visib_sm: _, ...others } = decoded;
  return raw === '' || / [MP\d/]+SM /.test(raw) ? decoded : others;
}

export function reportValues({ observedAt, ...report }: Pick<Observation, 'observedAt' | 'raw' | 'decoded'>) {
  const decoded = decodedOf(report);
  return {
    isReport: true,
    time: Date.parse(observedAt),
    temperature: convert('temperature', toNumber(decoded.temp_c)),
    dewPoint: convert('temperature', toNumber(decoded.dewp_c)),
    direction: decoded.wdir,
    wind: convert('speed', decoded.wspd_kt),
    gust: convert('speed', decoded.wgst_kt),
    ceiling: decoded.ceiling_ft,
    visibility: decoded.visib_m,
    visibilityText: visibilityText(decoded),
    isInMiles:
      unitOf('visibility').key === 'sm' ||
      (decoded.visib_sm !== undefined && unitOf('visibility').key === ''),
    pressure: convert('pressure', decoded.altim_hpa ?? decoded.slp_hpa),
    category: decoded.fltcat,
    wx: decoded.wx ?? '',
  };
}

/** Kinds of weather that have a symbol in the charts, most significant first. */
export const SYMBOLS = [
  { kind: 'thunder', pattern: /TS/, text: 'ϟ', name: 'thunder' },
  { kind: 'freezing', pattern: /FZ(RA|DZ)|PL/, text: '∾', name: 'freezing rain' },
  { kind: 'snow', pattern: /SN|SG|IC/, text: '✱', name: 'snow' },
  { kind: 'fog', pattern: /FG/, text: '≡', name: 'fog' },
  { kind: 'rain', pattern: /RA|DZ|UP|GR|GS/, text: '●', name: 'rain or drizzle' },
  { kind: 'mist', pattern: /BR/, text: '=', name: 'mist' },
  { kind: 'haze', pattern: /HZ|FU|DU|SA|SS|DS|VA/, text: '∞', name: 'haze, smoke or dust' },
];

/** Groups for the vicinity (VC) do not count. */
export function symbolOf(wx: string) {
  const here = wx.replace(/\S*VC\S*/g, '');
  return SYMBOLS.find(({ pattern }) => pattern.test(here));
}

/** A slightly late report does not make a gap. */
const TOLERANCE = 1.6;
/** A report says nothing of the weather after so long, however rare reports are. */
const MAX_AGE_OF_WEATHER = 6 * HOUR;
const GAP = { ...reportValues({ observedAt: '' }), isReport: false };

/** Of reports in time order, without hidden ones; in a gap, which no line crosses, without values. `shift` in milliseconds. */
export function toPoints(all: readonly Observation[], shift = 0): Values[] {
  const reports = all.filter(({ hidden }) => hidden === undefined);
  // Many special reports must not shorten the usual interval.
  const times = reports.flatMap(({ type, observedAt }) => (type === 'METAR' ? [Date.parse(observedAt)] : []));
  const intervals = times.slice(1).map((time, at) => time - (times[at] ?? time));
  const usual = intervals.sort((a, b) => a - b)[Math.floor(intervals.length / 2)] ?? HOUR;
  const longest = Math.min(TOLERANCE * Math.max(HOUR, usual), MAX_AGE_OF_WEATHER);
  return reports.flatMap((report, at) => {
    const point = { ...reportValues(report), time: Date.parse(report.observedAt) + shift };
    const next = Date.parse(reports[at + 1]?.observedAt ?? '') + shift;
    return next - point.time <= longest ? [point] : [point, { ...GAP, time: point.time + HOUR }];
  });
}
