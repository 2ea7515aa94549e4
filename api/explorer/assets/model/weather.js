import { formatNumber, toNumber } from '../format.js';

/**
 * What a report says, in numbers and in words.
 *
 * @typedef {import('./requests.js').Observation} Observation
 * @typedef {{ readonly [field: string]: unknown }} Decoded
 * @typedef {'VFR' | 'MVFR' | 'IFR' | 'LIFR'} Category
 * @typedef {{
 *   time: number, temperature: number | undefined, dewPoint: number | undefined, direction: number | undefined,
 *   wind: number | undefined, gust: number | undefined, ceiling: number | undefined, hasSky: boolean,
 *   visibility: number | undefined, pressure: number | undefined, category: Category | undefined, wx: string,
 * }} Values
 */

/** From best to worst. */
const CATEGORIES = /** @type {const} */ (['VFR', 'MVFR', 'IFR', 'LIFR']);

/** What each category means (FAA, AIM 7-1-7). */
export const CATEGORY_MEANINGS = {
  VFR: 'ceiling above 3000 ft and visibility above 5 SM',
  MVFR: 'ceiling 1000 to 3000 ft or visibility 3 to 5 SM',
  IFR: 'ceiling 500 to below 1000 ft or visibility 1 to below 3 SM',
  LIFR: 'ceiling below 500 ft or visibility below 1 SM',
};

/** @param {Observation} report @returns {Values} */
export function valuesOf({ observedAt, decoded }) {
  const fields = /** @type {Decoded} */ (decoded ?? {});
  return {
    time: Date.parse(observedAt),
    temperature: toNumber(fields.temp_c),
    dewPoint: toNumber(fields.dewp_c),
    direction: toNumber(fields.wdir),
    wind: toNumber(fields.wspd_kt),
    gust: toNumber(fields.wgst_kt),
    ceiling: ceilingOf(fields),
    hasSky: fields.clouds !== undefined || fields.cavok === true || fields.vvis_ft !== undefined,
    visibility: toNumber(fields.visib_m),
    pressure: toNumber(fields.altim_hpa) ?? toNumber(fields.slp_hpa),
    category: CATEGORIES.find((name) => name === fields.fltcat),
    wx: typeof fields.wx === 'string' ? fields.wx : '',
  };
}

/** @param {Decoded} fields @returns {{ cover: string, base_ft?: number, type?: string }[]} */
function layersOf({ clouds }) {
  return Array.isArray(clouds) ? clouds : [];
}

/** The height of the lowest layer covering more than half of the sky, or the vertical visibility (FMH-1). @param {Decoded} fields */
function ceilingOf(fields) {
  const bases = layersOf(fields)
    .filter(({ cover }) => cover === 'BKN' || cover === 'OVC')
    .map(({ base_ft }) => base_ft);
  const heights = [...bases, fields.vvis_ft].map(toNumber).filter((height) => height !== undefined);
  return heights.length === 0 ? undefined : Math.min(...heights);
}

/** @param {Decoded} fields */
function windWords(fields) {
  const speed = toNumber(fields.wspd_kt);
  if (speed === undefined) return undefined;
  if (speed === 0) return 'Calm';
  const direction = toNumber(fields.wdir);
  const from = direction === undefined ? 'Variable wind' : `Wind from ${String(direction).padStart(3, '0')}°`;
  const gust = toNumber(fields.wgst_kt);
  return `${from} at ${speed} ${speed === 1 ? 'knot' : 'knots'}${gust === undefined ? '' : `, gusts ${gust}`}`;
}

/** Statute miles if the report has them: `3 SM`, `above 10 km`, `800 m`. @param {Decoded} fields */
export function visibilityText({ visib_sm, visib_m, visib_mod }) {
  const [miles, metres] = [toNumber(visib_sm), toNumber(visib_m)];
  const than = visib_mod === 'M' ? 'less than ' : visib_mod === 'P' ? 'more than ' : '';
  if (miles !== undefined) return `${than}${formatMiles(miles)} SM`;
  if (metres === undefined) return undefined;
  if (metres >= 10_000) return '10 km or more';
  return `${than}${metres >= 5000 ? `${formatNumber(metres / 1000, metres % 1000 === 0 ? 0 : 1)} km` : `${metres} m`}`;
}

const FRACTIONS = [1 / 16, 1 / 8, 3 / 16, 1 / 4, 5 / 16, 3 / 8, 1 / 2, 5 / 8, 3 / 4, 7 / 8];
const FRACTION_TEXTS = ['1/16', '1/8', '3/16', '1/4', '5/16', '3/8', '1/2', '5/8', '3/4', '7/8'];

/** @param {number} miles */
function formatMiles(miles) {
  const whole = Math.floor(miles);
  const fraction = FRACTION_TEXTS[FRACTIONS.findIndex((each) => Math.abs(each - (miles - whole)) < 0.01)];
  if (fraction === undefined) return formatNumber(miles, Number.isInteger(miles) ? 0 : 1);
  return whole === 0 ? fraction : `${whole} ${fraction}`;
}

const COVERS = {
  FEW: 'few clouds',
  SCT: 'scattered clouds',
  BKN: 'broken clouds',
  OVC: 'overcast',
  VV: 'sky obscured',
};

/** The ceiling, else the lowest layer. @param {Decoded} fields */
export function skyText(fields) {
  const layers = layersOf(fields);
  const vertical = toNumber(fields.vvis_ft);
  if (vertical !== undefined) return `sky obscured, vertical visibility ${vertical} ft`;
  const main = layers.find(({ cover }) => cover === 'BKN' || cover === 'OVC') ?? layers[0];
  const words = COVERS[/** @type {'FEW'} */ (main?.cover ?? '')];
  if (main === undefined) return fields.cavok === true ? 'ceiling and visibility OK' : undefined;
  if (words === undefined) return 'sky clear';
  return main.base_ft === undefined ? words : `${words} at ${main.base_ft} ft`;
}

const DESCRIPTORS = {
  MI: 'shallow',
  BC: 'patches of',
  PR: 'partial',
  DR: 'low drifting',
  BL: 'blowing',
  SH: 'showers of',
  TS: 'thunderstorm with',
  FZ: 'freezing',
};
const PHENOMENA = {
  DZ: 'drizzle',
  RA: 'rain',
  SN: 'snow',
  SG: 'snow grains',
  IC: 'ice crystals',
  PL: 'ice pellets',
  GR: 'hail',
  GS: 'small hail',
  UP: 'unknown precipitation',
  BR: 'mist',
  FG: 'fog',
  FU: 'smoke',
  VA: 'volcanic ash',
  DU: 'dust',
  SA: 'sand',
  HZ: 'haze',
  PY: 'spray',
  PO: 'dust whirls',
  SQ: 'squalls',
  FC: 'funnel cloud',
  SS: 'sandstorm',
  DS: 'duststorm',
};

/** Present weather as words: `-SN BR` is `light snow, mist`. @param {string} wx */
export function weatherWords(wx) {
  return wx
    .split(' ')
    .filter((group) => group !== '')
    .map(groupWords)
    .join(', ');
}

/** @param {string} group */
function groupWords(group) {
  const [, intensity = '', isNear, codes = ''] = /^([-+]?)(VC)?((?:[A-Z]{2})+)$/.exec(group) ?? [];
  const pairs = codes.match(/../g) ?? [];
  const strength = { '-': 'light ', '+': 'heavy ', '': '' }[intensity] ?? '';
  /** @param {string} code */
  const wordOf = (code) => DESCRIPTORS[/** @type {'MI'} */ (code)] ?? PHENOMENA[/** @type {'RA'} */ (code)];
  if (pairs.length === 0 || pairs.some((code) => wordOf(code) === undefined)) return group;
  const [descriptor, ...rest] = pairs.map(wordOf);
  const things = rest.length > 1 ? `${rest.slice(0, -1).join(', ')} and ${rest.at(-1)}` : (rest[0] ?? '');
  const isDescriptor = Object.hasOwn(DESCRIPTORS, pairs[0] ?? '');
  const words = !isDescriptor
    ? [descriptor, ...rest].join(' and ')
    : `${descriptor} ${things}`.replace(/ (with|of) $/, '').trim();
  return `${strength}${words}${isNear === undefined ? '' : ' in the vicinity'}`;
}

/**
 * A report for people who do not read METAR.
 *
 * @param {Decoded} fields
 */
export function reportInWords(fields) {
  const [visibility, weather] = [visibilityText(fields), weatherWords(String(fields.wx ?? ''))];
  const [temperature, dewPoint] = [toNumber(fields.temp_c), toNumber(fields.dewp_c)];
  const pressure = toNumber(fields.altim_hpa);
  const sky = skyText(fields);
  const sentences = [
    windWords(fields),
    visibility === undefined
      ? weather
      : `Visibility ${visibility.replace(' SM', visibility === '1 SM' ? ' mile' : ' miles')}${weather === '' ? '' : ` in ${weather.replace(/, ([^,]+)$/, ' and $1')}`}`,
    sky,
    temperature === undefined
      ? undefined
      : `Temperature ${formatNumber(temperature)} °C${dewPoint === undefined ? '' : `, dew point ${formatNumber(dewPoint)} °C`}`,
    pressure === undefined ? undefined : `Pressure ${formatNumber(pressure)} hPa`,
  ];
  return sentences
    .filter((sentence) => sentence !== undefined && sentence !== '')
    .map((sentence) => `${String(sentence).charAt(0).toUpperCase()}${String(sentence).slice(1)}.`)
    .join(' ');
}

/** Which field comes from which group of the text. @type {readonly (readonly [RegExp, string])[]} */
const GROUPS = [
  [/^(METAR|SPECI)$/, 'type: routine or special report'],
  [/^(AUTO|COR|CC[A-Z])$/, 'AUTO: without a person; COR, CCA: a correction'],
  [/^\d{6}Z$/, 'observedAt: day of the month and time, UTC'],
  [
    /^(VRB|\d{3}|\/{3})P?\d{2,3}(G\d{2,3})?(KT|MPS)$/,
    'wdir, wspd_kt, wgst_kt: direction, speed and gust of the wind',
  ],
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
  [
    /^[-+]?(VC)?(MI|BC|PR|DR|BL|SH|TS|FZ|DZ|RA|SN|SG|IC|PL|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS)+$/,
    'wx: present weather',
  ],
];

/**
 * The groups of a report, with the field that each becomes.
 *
 * @param {string} raw
 * @returns {{ text: string, meaning: string | undefined }[]}
 */
export function groupsOf(raw) {
  let isRemark = false;
  return raw.split(' ').map((text, at) => {
    if (at < 2 && /^[A-Z][A-Z0-9]{3}$/.test(text) && text !== 'AUTO' && text !== 'METAR')
      return { text, meaning: 'station' };
    const meaning = GROUPS.find(([pattern]) => pattern.test(text))?.[1];
    const inRemarks = /^(RMK|SLP|T\d)/.test(text);
    const group = { text, meaning: isRemark && !inRemarks ? undefined : meaning };
    isRemark ||= text === 'RMK';
    return group;
  });
}

/** Kinds of weather that have a symbol in the charts, most significant first. */
export const SYMBOLS = /** @type {const} */ ([
  { kind: 'thunder', pattern: /TS/, text: 'ϟ', name: 'thunder' },
  { kind: 'freezing', pattern: /FZ(RA|DZ)|PL/, text: '∾', name: 'freezing rain' },
  { kind: 'snow', pattern: /SN|SG|IC/, text: '✱', name: 'snow' },
  { kind: 'rain', pattern: /RA|DZ|UP|GR|GS/, text: '●', name: 'rain' },
  { kind: 'fog', pattern: /FG/, text: '≡', name: 'fog' },
  { kind: 'mist', pattern: /BR/, text: '=', name: 'mist' },
  { kind: 'haze', pattern: /HZ|FU|DU|SA|SS|DS|VA/, text: '∞', name: 'haze, smoke or dust' },
]);

/** @param {string} wx groups for the vicinity (VC) do not count */
export function symbolOf(wx) {
  const here = wx.replace(/\S*VC\S*/g, '');
  return SYMBOLS.find(({ pattern }) => pattern.test(here));
}
