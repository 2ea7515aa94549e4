import { buffer } from 'node:stream/consumers';
import { groupBy } from '../../clickhouse/group-by.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import type { StationDescription } from '../../clickhouse/stations.ts';
import { canonicalZone } from '../../clickhouse/zones/zone-offsets.ts';
import { decodeText, unzip } from './body.ts';
import type { SentPlace } from './format.ts';
import { type Body, InvalidResponseError, type StationList } from './source.ts';

/** Lists of stations have a few MB. */
export const MAX_LIST_BYTES = 16_000_000;

/** Parses a list of stations, compressed with gzip or not; `undefined` if it is not JSON. */
export async function parseJson(body: Body): Promise<unknown> {
  const sent = await buffer(body);
  // A server may send a file of gzip also as content encoding, which `fetch` has removed then.
  const isGzip = sent[0] === 0x1f && sent[1] === 0x8b;
  const bytes = isGzip ? await unzip(sent, MAX_LIST_BYTES) : sent;
  try {
    return JSON.parse(decodeText(bytes));
  } catch {
    return undefined;
  }
}

/** Whether a value of a list can have members; none of them is trusted to have its type. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

type SentValues = SentPlace & {
  /** Mapped to ISO 3166-1 already. */
  readonly country: string | undefined;
  readonly timezone?: unknown;
};

/** Below the Dead Sea and above the highest station there is no aerodrome: -999.9 and 9999 stand for unknown. */
const LOWEST_M = -450;
const HIGHEST_M = 6000;

/** What sources write in place of a name that they do not know. */
const NO_NAME = /\b(BOGUS|UNKN|UNKNOWN|APPROXIMATE LOCALE)\b/i;

/** Names of aerodromes are far shorter; a longer text would fill every page about the station. */
const MAX_NAME = 200;

/** A description with the values that can be true; the others are left out, and so is a position of 0, 0 (D35). */
export function toStationDescription(source: Source, station: string, sent: SentValues): StationDescription {
  const { latitude, longitude, elevation_m, country, timezone } = sent;
  const name = typeof sent.name === 'string' ? sent.name.replace(/\s+/g, ' ').trim() : '';
  const hasPosition =
    isNumberBetween(latitude, -90, 90) &&
    isNumberBetween(longitude, -180, 180) &&
    (latitude !== 0 || longitude !== 0);
  return {
    source,
    station,
    ...(name !== '' && name.length <= MAX_NAME && !NO_NAME.test(name) && { name }),
    ...(country !== undefined && { country }),
    ...(hasPosition && { position: { latitude, longitude } }),
    ...(isNumberBetween(elevation_m, LOWEST_M, HIGHEST_M) && {
      elevation_m: Math.round(elevation_m * 10) / 10,
    }),
    ...(isTimeZone(timezone) && { timezone }),
  };
}

/** An area and a place, as in `Asia/Kolkata`. Also names that ICU replaces by older ones; no offset. */
function isTimeZone(value: unknown): value is string {
  const isName = typeof value === 'string' && /^[A-Z]\w+(\/[A-Z][\w+-]+)+$/.test(value);
  return isName && canonicalZone(value) !== undefined;
}

function isNumberBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

/** A station under one of its ids: it keeps its ICAO code when it moves, and gets another id. */
export type StationId = {
  /** ICAO code. */
  readonly station: string;
  readonly id: string;
  readonly description: StationDescription;
};

/**
 * The listings and descriptions of the stations in a list.
 *
 * @param found the rows of the list
 * @param ids is filled with the rows by station, which replace those of an earlier list
 * @param described chooses among the ids of a station the one whose description counts
 */
export function directoryOf<Id extends StationId>(
  source: 'ncei' | 'ghcnh',
  found: readonly Id[],
  ids: Map<string, readonly Id[]>,
  described: (id: Id, other: Id) => Id,
): StationList {
  if (found.length === 0) throw new InvalidResponseError('a list without stations');
  ids.clear();
  for (const [station, some] of groupBy(found, (each) => each.station)) ids.set(station, some);
  return {
    listings: [...ids.keys()].map((station) => ({ source, station })),
    descriptions: [...ids.values()].map((some) => some.reduce(described).description),
  };
}

/**
 * Countries by the codes of FIPS PUB 10-4 with its change notices, which NCEI uses, and by ISO 3166-1 alpha-2. The two
 * differ: GM is Germany in FIPS and the Gambia in ISO. A pair is FIPS:ISO, and a code alone is of both.
 *
 * Left out: places without a code in ISO (Akrotiri AX, Dhekelia DX, the Paracel and Spratly Islands PF and PG), and
 * countries that were divided (the Netherlands Antilles NT, Serbia and Montenegro YI). Serbia has two codes. XK is the
 * code that ISO leaves to its users and that is in use for Kosovo.
 */
const FIPS_TO_ISO = `
  AA:AW AC:AG AE AF AG:DZ AJ:AZ AL AM AN:AD AO AQ:AS AR AS:AU AT:AU AU:AT AV:AI AY:AQ BA:BH BB BC:BW BD:BM BE
  BF:BS BG:BD BH:BZ BK:BA BL:BO BM:MM BN:BJ BO:BY BP:SB BQ:UM BR BS:TF BT BU:BG BV BX:BN BY:BI CA CB:KH CD:TD
  CE:LK CF:CG CG:CD CH:CN CI:CL CJ:KY CK:CC CM CN:KM CO CQ:MP CR:AU CS:CR CT:CF CU CV CW:CK CY DA:DK DJ DO:DM
  DQ:UM DR:DO EC EG EI:IE EK:GQ EN:EE ER ES:SV ET EU:TF EZ:CZ FG:GF FI FJ FK FM FO FP:PF FQ:UM FR FS:TF GA:GM
  GB:GA GG:GE GH GI GJ:GD GK:GG GL GM:DE GO:TF GP GQ:GU GR GT GV:GN GY GZ:PS HA:HT HK HM HO:HN HQ:UM HR HU
  IC:IS ID IM IN IO IP:FR IR IS:IL IT IV:CI IZ:IQ JA:JP JE JM JN:SJ JO JQ:UM JU:TF KE KG KN:KP KQ:UM KR:KI
  KS:KR KT:CX KU:KW KV:XK KZ LA LE:LB LG:LV LH:LT LI:LR LO:SK LQ:UM LS:LI LT:LS LU LY MA:MG MB:MQ MC:MO MD
  MF:YT MG:MN MH:MS MI:MW MJ:ME MK ML MN:MC MO:MA MP:MU MQ:UM MR MT MU:OM MV MX MY MZ NC NE:NU NF NG:NE NH:VU
  NI:NG NL NN:SX NO NP NR NS:SR NU:NI NZ OD:SS PA:PY PC:PN PE PK PL PM:PA PO:PT PP:PG PS:PW PU:GW QA RB:RS RE
  RI:RS RM:MH RN:MF RO RP:PH RQ:PR RS:RU RW SA SB:PM SC:KN SE:SC SF:ZA SG:SN SH SI SL SM SN:SG SO SP:ES ST:LC
  SU:SD SV:SJ SW:SE SX:GS SY SZ:CH TB:BL TD:TT TE:TF TH TI:TJ TK:TC TL:TK TN:TO TO:TG TP:ST TS:TN TT:TL TU:TR
  TV TW TX:TM TZ UC:CW UG UK:GB UP:UA US UV:BF UY UZ VC VE VI:VG VM:VN VQ:VI VT:VA WA:NA WE:PS WF WI:EH WQ:UM
  WS WZ:SZ YM:YE ZA:ZM ZI:ZW`;

const ISO_BY_FIPS: ReadonlyMap<string, string> = new Map(
  FIPS_TO_ISO.trim()
    .split(/\s+/)
    .map((pair) => [pair.slice(0, 2), pair.slice(-2)]),
);

/** FIPS has no code of their own for the Åland Islands and the Caribbean Netherlands. */
const ISO_CODES: ReadonlySet<string> = new Set([...ISO_BY_FIPS.values(), 'AX', 'BQ']);

/** Parts of the United States that ISO lists as countries, by the code that sources give as the state. */
const US_TERRITORIES: ReadonlySet<string> = new Set(['AS', 'GU', 'MP', 'PR', 'UM', 'VI']);

/** The ISO code of a country as a source writes it; `undefined` if it is none. */
export function isoCountry(code: unknown, state?: unknown): string | undefined {
  if (typeof code !== 'string' || !ISO_CODES.has(code)) return undefined;
  return code === 'US' && typeof state === 'string' && US_TERRITORIES.has(state) ? state : code;
}

export function isoCountryOfFips(code: string, state?: string): string | undefined {
  return isoCountry(ISO_BY_FIPS.get(code), state);
}
