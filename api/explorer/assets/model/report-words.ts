import type { Decoded } from '../../../client/client.d.ts';
import { formatNumber, plural, toNumber } from '../format.ts';
import type { Values } from './report-values.ts';
import { convert, numberOf, type Quantity, textOf, unitOf } from './units.ts';

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

/** As reports write it, in sixteenths at most: `2 1/4`. */
function formatMiles(miles: number) {
  const whole = Math.floor(miles);
  let [part, of] = [Math.round((miles - whole) * 16), 16];
  if (Math.abs(miles - whole - part / of) > 0.01) return formatNumber(miles, 1);
  if (part === 0 || part === of) return String(Math.round(miles));
  while (part % 2 === 0) [part, of] = [part / 2, of / 2];
  return `${whole === 0 ? '' : `${whole} `}${part}/${of}`;
}

const COVERS: Readonly<Record<string, string>> = {
  FEW: 'few clouds',
  SCT: 'scattered clouds',
  BKN: 'broken clouds',
  OVC: 'overcast',
  VV: 'sky obscured',
};

/** The ceiling, else the lowest layer. */
export function skyText({ clouds = [], vvis_ft, cavok }: Decoded) {
  if (vvis_ft !== undefined) return `sky obscured, vertical visibility ${vvis_ft} ft`;
  const main = clouds.find(({ cover }) => cover === 'BKN' || cover === 'OVC') ?? clouds[0];
  if (main === undefined) return cavok ? 'ceiling and visibility OK' : undefined;
  const words = COVERS[main.cover];
  if (words === undefined) return 'sky clear';
  return main.base_ft === undefined ? words : `${words} at ${main.base_ft} ft`;
}

const table = (text: string) =>
  new Map(text.split(',').map((row) => [row.trim().slice(0, 2), row.trim().slice(3)]));

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
  visibility.replace(/(?<=^| )(1|\d+\/\d+) SM$/, '$1 mile').replace(' SM', ' miles');

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
    return {
      text,
      meaning: isKnown ? FIELDS_BY_GROUP.find(([pattern]) => pattern.test(text))?.[1] : undefined,
    };
  });
}
