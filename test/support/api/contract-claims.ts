import assert from 'node:assert/strict';

/**
 * What the contract says of the types of answers, in its words and not in those of the schemas: a schema and an answer that
 * are wrong in the same way agree.
 */
type Claim = {
  /** Its rule in `docs/contract.md`, or the section of records. */
  readonly rule: string;
  /** Of the answers that it is about: the path without its format. */
  readonly endpoint: RegExp;
  /** Where the value is, as in `data[].decoded.temp_c`. */
  readonly at: RegExp;
  readonly is: 'text' | 'number' | 'whole number' | 'flag' | RegExp;
};

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
  { rule: 'D3', endpoint: OBSERVATIONS, at: /^data\[\]\.id$/, is: /^[A-Za-z0-9-]+$/ },
  { rule: 'D2', endpoint: ASKED, at: /^data\[\]\.station$/, is: ICAO },
  { rule: 'D1', endpoint: PAGES, at: /^data\[\]\.observedAt$/, is: TIME },
  { rule: 'records', endpoint: OBSERVATIONS, at: /^data\[\]\.type$/, is: /^(METAR|SPECI)$/ },
  { rule: 'D7', endpoint: OBSERVATIONS, at: /^data\[\]\.parseStatus$/, is: /^(parsed|failed|raw_only)$/ },
  { rule: 'D5', endpoint: OBSERVATIONS, at: /^data\[\]\.raw$/, is: /^[^\n\r]+$/ },
  // The specification has text for these two, and D46 numbers.
  { rule: 'D9', endpoint: OBSERVATIONS, at: /\.decoded\.(temp|dewp)_c$/, is: /^-?\d+(\.[1-9])?$/ },
  { rule: 'D46', endpoint: HOURLY, at: /^data\[\]\.(temp|dewp)_c$/, is: 'number' },
  { rule: 'D9', endpoint: OBSERVATIONS, at: /\.decoded\.(wdir|wspd_kt)$/, is: 'whole number' },
  { rule: 'D9', endpoint: OBSERVATIONS, at: /\.decoded\.altim_hpa$/, is: 'number' },
  { rule: 'D9', endpoint: OBSERVATIONS, at: /\.decoded\.cavok$/, is: 'flag' },
  {
    rule: 'D9',
    endpoint: OBSERVATIONS,
    at: new RegExp(`\\.decoded\\.(?!(temp|dewp)_c$)[a-z0-9_.[\\]]+_${UNIT}$`),
    is: 'number',
  },
  { rule: 'D43', endpoint: PAGES, at: /\.(ceiling_ft|rvr_min_m)$/, is: 'whole number' },
  { rule: 'D46', endpoint: HOURLY, at: new RegExp(`^data\\[\\]\\.\\w+_${UNIT}$`), is: 'number' },
  { rule: 'D46', endpoint: HOURLY, at: /^data\[\]\.hour$/, is: /^\d{4}-\d\d-\d\dT\d\d:00:00Z$/ },
  { rule: 'D46', endpoint: HOURLY, at: /^data\[\]\.(n|wdir)$/, is: 'whole number' },
  { rule: 'D45', endpoint: STATISTICS, at: /^data\[\]\.(n|expected|year|month|hour)$/, is: 'whole number' },
  { rule: 'D45', endpoint: STATISTICS, at: /^data\[\]\.(date)$/, is: DAY },
  { rule: 'D45', endpoint: STATISTICS, at: /^data\[\]\.wind_sector$/, is: /^(\d+|calm|variable)$/ },
  { rule: 'D45', endpoint: STATISTICS, at: /^data\[\]\.(season|fltcat)$/, is: 'text' },
  { rule: 'D45', endpoint: STATISTICS, at: new RegExp(`^data\\[\\]\\.(?!time_)\\w+_${UNIT}$`), is: 'number' },
  { rule: 'D45', endpoint: STATISTICS, at: /^data\[\]\.time_of_max_temp_c$/, is: TIME },
  { rule: 'D74', endpoint: STATISTICS, at: /^data\[\]\.time_of_max_(max|min)_\w+$/, is: DAY },
  { rule: 'D72', endpoint: DAILY, at: /^data\[\]\.date$/, is: DAY },
  { rule: 'D72', endpoint: DAILY, at: /^data\[\]\.(n|expected|\w+_hours|max_gust_kt)$/, is: 'whole number' },
  { rule: 'D72', endpoint: DAILY, at: /^data\[\]\.(rain|fog|snow|mist)$/, is: 'whole number' },
  { rule: 'D72', endpoint: DAILY, at: /^data\[\]\.time_of_max_gust$/, is: TIME },
  { rule: 'D72', endpoint: RECORDS, at: new RegExp(`^data\\[\\]\\.(?!time_)\\w+_${UNIT}$`), is: 'number' },
  { rule: 'D73', endpoint: MONTHLY, at: /^data\[\]\.(year|month|days|\w+_days)$/, is: 'whole number' },
  { rule: 'D73', endpoint: /\/(monthly|normals)$/, at: /^data\[\]\.max_temp_c_date$/, is: DAY },
  { rule: 'D73', endpoint: NORMALS, at: /^data\[\]\.(month|(\w+_)?years)$/, is: 'whole number' },
  { rule: 'D47', endpoint: STATISTICS, at: /^meta\.expanded\.(select|by)$/, is: 'text' },
  { rule: 'D11', endpoint: /\/(observations|hourly|stations)$/, at: /^meta\.hasMore$/, is: 'flag' },
  { rule: 'D23', endpoint: /\/(observations|hourly|stations)$/, at: /^meta\.nextCursor$/, is: 'text' },
  { rule: 'D15', endpoint: ASKED, at: /^(data|meta)\b.*\.status$/, is: /^(complete|partial|none)$/ },
  { rule: 'D14', endpoint: ASKED, at: /\.years(Done|All)$/, is: 'whole number' },
  { rule: 'D28', endpoint: ASKED, at: /^meta\.rateLimit\.(limitPerSecond|remaining)$/, is: 'whole number' },
  { rule: 'D28', endpoint: ASKED, at: /^meta\.rateLimit\.plan$/, is: 'text' },
  {
    rule: 'D34',
    endpoint: COVERAGE,
    at: /\.years\[\]\.(year|daysDue|daysDone|reports)$/,
    is: 'whole number',
  },
  { rule: 'D34', endpoint: COVERAGE, at: /\.(gaps|notDue|silent)\[\]\.(from|to)$/, is: MIDNIGHT },
  { rule: 'D34', endpoint: COVERAGE, at: /\.years\[\]\.(firstReport|lastReport)$/, is: TIME },
  { rule: 'D34', endpoint: COVERAGE, at: /\.sources\[\]$/, is: 'text' },
  { rule: 'D35', endpoint: STATIONS, at: /\.(latitude|longitude|elevation_m)$/, is: 'number' },
  { rule: 'D35', endpoint: STATIONS, at: /\.(name|timezone)$/, is: 'text' },
  { rule: 'D35', endpoint: STATIONS, at: /\.country$/, is: /^[A-Z]{2}$/ },
  { rule: 'D35', endpoint: STATIONS, at: /\.(firstReport|lastReport)$/, is: TIME },
  { rule: 'D48', endpoint: STATIONS, at: /\.distance_km$/, is: 'number' },
  { rule: 'D48', endpoint: STATIONS, at: /^features\[\]\.geometry\.coordinates\[\]$/, is: 'number' },
  { rule: 'D24', endpoint: /./, at: /^problem\.status$/, is: 'whole number' },
  { rule: 'D24', endpoint: /./, at: /^problem\.(type|title|detail|code|requestId)$/, is: 'text' },
  { rule: 'D24', endpoint: /./, at: /^problem\.errors\[\]\.(parameter|detail)$/, is: 'text' },
];

const met = new Set<Claim>();

/** Fails where a value of an answer is not what the contract says. */
export function assertContract(path: string, answer: unknown): void {
  const endpoint = path.replace(/\.\w+$/, '');
  const claims = CLAIMS.filter((claim) => claim.endpoint.test(endpoint));
  for (const [at, value] of valuesOf(answer, ''))
    for (const claim of claims.filter((each) => each.at.test(at))) {
      assert.ok(isAsClaimed(value, claim.is), `${path} ${claim.rule}: ${at} is ${JSON.stringify(value)}`);
      met.add(claim);
    }
}

/** Claims about values that no answer has had. */
export const unmetClaims = (): readonly string[] =>
  CLAIMS.filter((claim) => !met.has(claim)).map(({ rule, endpoint, at }) => `${rule}: ${endpoint} ${at}`);

function isAsClaimed(value: unknown, is: Claim['is']): boolean {
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
