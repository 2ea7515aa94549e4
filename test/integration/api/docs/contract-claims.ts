import assert from 'node:assert/strict';

/**
 * What the contract says of the types of answers, in its words and not in those of the schemas: a schema and an answer that
 * are wrong in the same way agree.
 */
type Claim = readonly [
  /** In `docs/contract.md`, or the section of records. */
  rule: string,
  /** The path of the answers without its format. */
  endpoint: RegExp,
  /** Where the value is, as in `data[].decoded.temp_c`. */
  at: RegExp,
  is: 'text' | 'number' | 'whole number' | 'flag' | RegExp,
];

const OBSERVATIONS = /\/observations$/;
const HOURLY = /\/hourly$/;
const STATISTICS = /\/statistics$/;
const COVERAGE = /\/coverage$/;
const STATIONS = /\/stations$/;
const DAILY = /\/daily$/;
const MONTHLY = /\/monthly$/;
const NORMALS = /\/normals$/;
const RECORDS = /\/(daily|monthly|normals)$/;
const PAGES = /\/history\/(observations|hourly)$/;
const ASKED = /\/history\/(observations|hourly|daily|monthly|normals|statistics|coverage|stations)$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** How a day is written in a range of days. */
const MIDNIGHT = /^\d{4}-\d\d-\d\dT00:00:00Z$/;
const ICAO = /^[A-Z][A-Z0-9]{3}$/;
/** The end of the name of a value with a unit. */
const UNIT = '(c|kt|m|ft|hpa|inhg|in|pct|sm)';

const CLAIMS: readonly Claim[] = [
  ['D3', OBSERVATIONS, /^data\[\]\.id$/, /^[A-Za-z0-9-]+$/],
  ['D2', ASKED, /^data\[\]\.station$/, ICAO],
  ['D1', PAGES, /^data\[\]\.observedAt$/, TIME],
  ['records', OBSERVATIONS, /^data\[\]\.type$/, /^(METAR|SPECI)$/],
  ['D7', OBSERVATIONS, /^data\[\]\.parseStatus$/, /^(parsed|failed|raw_only)$/],
  ['D5', OBSERVATIONS, /^data\[\]\.raw$/, /^[^\n\r]+$/],
  // The specification has text for these two, and D46 numbers.
  ['D9', OBSERVATIONS, /\.decoded\.(temp|dewp)_c$/, /^-?\d+(\.[1-9])?$/],
  ['D46', HOURLY, /^data\[\]\.(temp|dewp)_c$/, 'number'],
  ['D9', OBSERVATIONS, /\.decoded\.(wdir|wspd_kt)$/, 'whole number'],
  ['D9', OBSERVATIONS, /\.decoded\.altim_hpa$/, 'number'],
  ['D9', OBSERVATIONS, /\.decoded\.cavok$/, 'flag'],
  ['D9', OBSERVATIONS, new RegExp(`\\.decoded\\.(?!(temp|dewp)_c$)[a-z0-9_.[\\]]+_${UNIT}$`), 'number'],
  ['D43', PAGES, /\.(ceiling_ft|rvr_min_m)$/, 'whole number'],
  ['D46', HOURLY, new RegExp(`^data\\[\\]\\.\\w+_${UNIT}$`), 'number'],
  ['D46', HOURLY, /^data\[\]\.hour$/, /^\d{4}-\d\d-\d\dT\d\d:00:00Z$/],
  ['D46', HOURLY, /^data\[\]\.(n|wdir)$/, 'whole number'],
  ['D45', STATISTICS, /^data\[\]\.(n|expected|year|month|hour)$/, 'whole number'],
  ['D45', STATISTICS, /^data\[\]\.(date)$/, DAY],
  ['D45', STATISTICS, /^data\[\]\.wind_sector$/, /^(\d+|calm|variable)$/],
  ['D45', STATISTICS, /^data\[\]\.(season|fltcat)$/, 'text'],
  ['D45', STATISTICS, new RegExp(`^data\\[\\]\\.(?!time_)\\w+_${UNIT}$`), 'number'],
  ['D45', STATISTICS, /^data\[\]\.time_of_max_temp_c$/, TIME],
  ['D74', STATISTICS, /^data\[\]\.time_of_max_(max|min)_\w+$/, DAY],
  ['D72', DAILY, /^data\[\]\.date$/, DAY],
  ['D72', DAILY, /^data\[\]\.(n|expected|\w+_hours|max_gust_kt)$/, 'whole number'],
  ['D72', DAILY, /^data\[\]\.(rain|fog|snow|mist)$/, 'whole number'],
  ['D72', DAILY, /^data\[\]\.time_of_max_gust$/, TIME],
  ['D72', RECORDS, new RegExp(`^data\\[\\]\\.(?!time_)\\w+_${UNIT}$`), 'number'],
  ['D73', MONTHLY, /^data\[\]\.(year|month|days|\w+_days)$/, 'whole number'],
  ['D73', /\/(monthly|normals)$/, /^data\[\]\.max_temp_c_date$/, DAY],
  ['D73', NORMALS, /^data\[\]\.(month|(\w+_)?years)$/, 'whole number'],
  ['D47', STATISTICS, /^meta\.expanded\.(select|by)$/, 'text'],
  ['D11', /\/(observations|hourly|stations)$/, /^meta\.hasMore$/, 'flag'],
  ['D23', /\/(observations|hourly|stations)$/, /^meta\.nextCursor$/, 'text'],
  ['D15', ASKED, /^(data|meta)\b.*\.status$/, /^(complete|partial|none)$/],
  ['D14', ASKED, /\.years(Done|All)$/, 'whole number'],
  ['D28', ASKED, /^meta\.rateLimit\.(limitPerSecond|remaining)$/, 'whole number'],
  ['D28', ASKED, /^meta\.rateLimit\.plan$/, 'text'],
  ['D34', COVERAGE, /\.years\[\]\.(year|daysDue|daysDone|reports)$/, 'whole number'],
  ['D34', COVERAGE, /\.(gaps|notDue|silent)\[\]\.(from|to)$/, MIDNIGHT],
  ['D34', COVERAGE, /\.years\[\]\.(firstReport|lastReport)$/, TIME],
  ['D34', COVERAGE, /\.sources\[\]$/, 'text'],
  ['D35', STATIONS, /\.(latitude|longitude|elevation_m)$/, 'number'],
  ['D35', STATIONS, /\.(name|timezone)$/, 'text'],
  ['D35', STATIONS, /\.country$/, /^[A-Z]{2}$/],
  ['D35', STATIONS, /\.(firstReport|lastReport)$/, TIME],
  ['D48', STATIONS, /\.distance_km$/, 'number'],
  ['D48', STATIONS, /^features\[\]\.geometry\.coordinates\[\]$/, 'number'],
  ['D24', /./, /^problem\.status$/, 'whole number'],
  ['D24', /./, /^problem\.(type|title|detail|code|requestId)$/, 'text'],
  ['D24', /./, /^problem\.errors\[\]\.(parameter|detail)$/, 'text'],
];

const met = new Set<Claim>();

/** Fails where a value of an answer is not what the contract says. */
export function assertContract(path: string, answer: unknown): void {
  const endpoint = path.replace(/\.\w+$/, '');
  const claims = CLAIMS.filter(([, of]) => of.test(endpoint));
  for (const [at, value] of valuesOf(answer, ''))
    for (const claim of claims.filter(([, , place]) => place.test(at))) {
      assert.ok(isAsClaimed(value, claim[3]), `${path} ${claim[0]}: ${at} is ${JSON.stringify(value)}`);
      met.add(claim);
    }
}

/** Claims about values that no answer has had. */
export const unmetClaims = (): readonly string[] =>
  CLAIMS.filter((claim) => !met.has(claim)).map(([rule, endpoint, at]) => `${rule}: ${endpoint} ${at}`);

function isAsClaimed(value: unknown, is: Claim[3]): boolean {
  if (is instanceof RegExp) return typeof value === 'string' && is.test(value);
  switch (is) {
    case 'text':
      return typeof value === 'string' && value !== '';
    case 'flag':
      return typeof value === 'boolean';
    case 'number':
      return Number.isFinite(value);
    case 'whole number':
      return Number.isSafeInteger(value);
  }
}

/** Each value that is neither an object nor a list, with its place. */
function valuesOf(value: unknown, at: string): readonly (readonly [at: string, value: unknown])[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [[at, value]];
  return Object.entries(value).flatMap(([name, part]) => valuesOf(part, at === '' ? name : `${at}.${name}`));
}
