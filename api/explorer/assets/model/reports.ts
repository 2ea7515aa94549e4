import type { Decoded, Observation } from '../../../client/client.d.ts';
import { formatNumber, HOUR, plural, toNumber } from '../format.ts';
import { convert, numberOf, type Quantity, textOf, unitOf } from './units.ts';

// The values of reports in the chosen units, and their words.

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
  const { key } = unitOf('visibility');
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
    isInMiles: key === 'sm' || (key === '' && decoded.visib_sm !== undefined),
    pressure: convert('pressure', decoded.altim_hpa ?? decoded.slp_hpa),
    category: decoded.fltcat,
    wx: decoded.wx ?? '',
  };
}

/** Kinds of weather that have a symbol in the charts, most significant first. */
export const SYMBOLS = [
  { kind: 'thunder', pattern: /TS/, text: 'ϟ', name: 'thunder' },
  { kind: 'freezing', pattern: /FZ(RA|DZ)|PL/, text: '∾', name: 'freezing rain or ice pellets' },
  { kind: 'snow', pattern: /SN|SG|IC/, text: '✱', name: 'snow' },
  { kind: 'fog', pattern: /FG/, text: '≡', name: 'fog' },
  { kind: 'rain', pattern: /RA|DZ|UP|GR|GS/, text: '●', name: 'rain, drizzle or hail' },
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
/** After this time a report no longer describes the weather, even if the station rarely reports. */
const MAX_AGE_OF_WEATHER = 6 * HOUR;
const GAP = { ...reportValues({ observedAt: '' }), isReport: false };

/** The points of reports in time order, without hidden reports, and an empty point in each gap. `shift` is in milliseconds. */
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

/** Direction as in a report: `060°`. */
const directionText = (direction: number | undefined) =>
  direction === undefined ? 'variable' : `${String(direction).padStart(3, '0')}°`;

/** In the chosen unit: `060° 8 G 15`. */
export function windText({ wind, direction, gust }: Values) {
  if (wind === undefined || wind === 0) return wind === 0 ? 'calm' : undefined;
  return `${directionText(direction)} ${numberOf('speed', wind)}${gust === undefined ? '' : ` G ${numberOf('speed', gust)}`}`;
}

function windWords({ wspd_kt: speed, wdir: direction, wgst_kt: gust }: Decoded) {
  if (speed === undefined || speed === 0) return speed === 0 ? 'Calm' : undefined;
  const from = direction === undefined ? 'Variable wind' : `Wind from ${directionText(direction)}`;
  const text = unitOf('speed').key === '' ? plural(speed, 'knot') : textOf('speed', convert('speed', speed));
  return `${from} at ${text}${gust === undefined ? '' : `, gusts ${numberOf('speed', convert('speed', gust))}`}`;
}

/** Statute miles if the report has them: `3 SM`, `above 10 km`, `800 m`. */
export function visibilityText({ visib_sm, visib_m: meters, visib_mod }: Decoded) {
  const { key } = unitOf('visibility');
  const converted = key === 'sm' && meters !== undefined ? meters / 1609.344 : undefined;
  const miles = key === 'm' ? undefined : (visib_sm ?? converted);
  const than = visib_mod === 'M' ? 'less than ' : visib_mod === 'P' ? 'more than ' : '';
  const orMore = visib_sm === undefined && (meters ?? 0) >= 10_000 ? ' or more' : '';
  if (miles !== undefined) return `${than}${formatMiles(miles)} SM${orMore}`;
  if (meters === undefined) return undefined;
  if (meters >= 10_000) return '10 km or more';
  return `${than}${meters >= 5000 ? `${formatNumber(meters / 1000, meters % 1000 === 0 ? 0 : 1)} km` : `${meters} m`}`;
}

/** Miles as reports write them, with sixteenths as the smallest fractions: `2 1/4`. */
function formatMiles(miles: number) {
  const whole = Math.floor(miles);
  let [part, of] = [Math.round((miles - whole) * 16), 16];
  if (Math.abs(miles - whole - part / of) > 0.01) return formatNumber(miles, 1);
  if (part === 0 || part === of) return String(Math.round(miles));
  while (part % 2 === 0) [part, of] = [part / 2, of / 2];
  return `${whole === 0 ? '' : `${whole} `}${part}/${of}`;
}

/** A map from each code to its words. */
const table = (text: string) =>
  new Map([...text.matchAll(/(\w+) ([^,]+)/g)].map(([, code = '', words = '']) => [code, words]));

const COVERS = table(
  'FEW few clouds, SCT scattered clouds, BKN broken clouds, OVC overcast, VV sky obscured',
);

/** The ceiling, else the lowest layer. */
export function skyText({ clouds = [], vvis_ft, cavok }: Decoded) {
  if (vvis_ft !== undefined) return `sky obscured, vertical visibility ${vvis_ft} ft`;
  const main = clouds.find(({ cover }) => cover === 'BKN' || cover === 'OVC') ?? clouds[0];
  if (main === undefined) return cavok ? 'ceiling and visibility OK' : undefined;
  const words = COVERS.get(main.cover);
  if (words === undefined) return 'sky clear';
  return main.base_ft === undefined ? words : `${words} at ${main.base_ft} ft`;
}

const DESCRIPTORS = table(
  'MI shallow, BC patches of, PR partial, DR low drifting, BL blowing, SH showers of, TS thunderstorm with, FZ freezing',
);
const PHENOMENA =
  table(`DZ drizzle, RA rain, SN snow, SG snow grains, IC ice crystals, PL ice pellets, GR hail,
  GS small hail, UP unknown precipitation, BR mist, FG fog, FU smoke, VA volcanic ash, DU dust, SA sand, HZ haze,
  PY spray, PO dust whirls, SQ squalls, FC funnel cloud, SS sandstorm, DS duststorm`);

/** Present weather as words: `-SN BR` is `light snow, mist`. */
export function weatherWords(wx: string) {
  return wx.split(' ').filter(Boolean).map(groupWords).join(', ');
}

function groupWords(group: string) {
  const [, intensity = '', isNear, codes = ''] = /^([-+]?)(VC)?((?:[A-Z]{2})+)$/.exec(group) ?? [];
  const pairs = codes.match(/../g) ?? [];
  const words = pairs.map((code) => DESCRIPTORS.get(code) ?? PHENOMENA.get(code));
  if (words.length === 0 || words.includes(undefined)) return group;
  const strength = { '-': 'light ', '+': 'heavy ' }[intensity] ?? '';
  const things = DESCRIPTORS.has(pairs[0] ?? '') ? words.slice(1) : words;
  const descriptor = things === words ? '' : `${words[0]} `;
  const list = things.join(', ').replace(/, ([^,]+)$/, ' and $1');
  const text = `${descriptor}${list}`.replace(/ (with|of) $/, '').trim();
  return `${strength}${text}${isNear === undefined ? '' : ' in the vicinity'}`;
}

const inMiles = (visibility: string) =>
  visibility.replace(/(?<=^|than )(1|\d+\/\d+) SM$/, '$1 mile').replace(' SM', ' miles');

const shown = (quantity: Quantity, value: unknown) => textOf(quantity, convert(quantity, toNumber(value)));

export function reportInWords(fields: Decoded) {
  const { wx = '', temp_c: temperature, dewp_c: dewPoint, altim_hpa: pressure } = fields;
  const [visibility, weather] = [visibilityText(fields), weatherWords(wx)];
  const dewPointText = dewPoint === undefined ? '' : `, dew point ${shown('temperature', dewPoint)}`;
  const inWeather = weather === '' ? '' : ` in ${weather.replace(/, ([^,]+)$/, ' and $1')}`;
  const sentences = [
    windWords(fields),
    visibility === undefined ? weather : `Visibility ${inMiles(visibility)}${inWeather}`,
    skyText(fields),
    temperature === undefined ? '' : `Temperature ${shown('temperature', temperature)}${dewPointText}`,
    pressure === undefined ? '' : `Pressure ${shown('pressure', pressure)}`,
  ];
  return sentences
    .flatMap((sentence) => (sentence ? `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.` : []))
    .join(' ');
}

const CODES = [...DESCRIPTORS.keys(), ...PHENOMENA.keys()].join('|');

const FIELDS_BY_GROUP: readonly (readonly [RegExp, string])[] = [
  [/^(METAR|SPECI)$/, 'type: routine or special report'],
  [/^(AUTO|COR|CC[A-Z])$/, 'AUTO: without a person; COR, CCA: a correction'],
  [/^\d{6}Z$/, 'observedAt: day of the month and time, UTC'],
  [/^(VRB|\d{3}|\/{3})P?\d{2,3}(G\d{2,3})?(KT|MPS)$/, 'wdir, wspd_kt, wgst_kt: direction, speed, gust'],
  [/^\d{3}V\d{3}$/, 'wdir_from, wdir_to: the direction varies between'],
  [/^([MP]?\d+(\/\d+)?SM|\d{4}|CAVOK|\d{4}[NSEW]{1,2})$/, 'visib_m: visibility'],
  [/^R\d{2}[LCR]?\//, 'rvr: visual range of a runway'],
  [/^(FEW|SCT|BKN|OVC|VV)(\d{3}|\/{3})/, 'clouds: amount, and height of the base in hundreds of feet'],
  [/^(SKC|CLR|NSC|NCD)$/, 'clouds: none'],
  [/^M?\d{2}\/(M?\d{2}|\/\/)?$/, 'temp_c, dewp_c: temperature and dew point'],
  [/^[AQ]\d{4}$/, 'altim_hpa: altimeter setting (QNH)'],
  [/^SLP\d{3}$/, 'slp_hpa: pressure at sea level'],
  [/^T[01]\d{3}([01]\d{3})?$/, 'temp_c, dewp_c: in tenths of a degree'],
  [/^RMK$/, 'remarks follow'],
  [new RegExp(`^[-+]?(VC)?(${CODES})+$`), 'wx: present weather'],
];

/** The groups of a report, with the field that each becomes. */
export function groupsOf(raw: string) {
  const groups = raw.split(' ');
  const end = groups.includes('RMK') ? groups.indexOf('RMK') : groups.length;
  return groups.map((text, at) => {
    if (at < 2 && /^[A-Z][A-Z0-9]{3}$/.test(text)) return { text, meaning: 'station' };
    const isKnown = at <= end || /^(SLP|T)\d/.test(text);
    const meaning = isKnown ? FIELDS_BY_GROUP.find(([pattern]) => pattern.test(text))?.[1] : undefined;
    return { text, meaning };
  });
}
