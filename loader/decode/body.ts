import { readClearSky, readCloud, readTornType, readVerticalVisibility } from './groups/clouds.ts';
import * as pressure from './groups/pressure.ts';
import { readRunwayState, readRunwayVisualRange } from './groups/runway.ts';
import * as other from './groups/supplementary.ts';
import { readTemperature } from './groups/temperature.ts';
import { readCavok, readMetricVisibility, readSplitMiles, readStatuteMiles } from './groups/visibility.ts';
import { readRecentWeather, readWeather } from './groups/weather.ts';
import { readTornGust, readWind, readWindVariation } from './groups/wind.ts';
import {
  hasGroups,
  isReportName,
  isReportStart,
  isStation,
  readMaintenanceSign,
  readQualifier,
} from './header.ts';
import { type ParseState, type Reader, type Verdict, withGroup } from './parse-state.ts';
import { readPlainLanguage } from './plain-language.ts';
import { readRemarks } from './remarks.ts';
import { repair } from './repair/repair.ts';

/**
 * Reads the groups after the header to the end of the report, and lists every token that no rule explains or that
 * contradicts an earlier one. Remarks, a forecast, or a second report in the same line end the body.
 */
export function readBody(state: ParseState, unexplained: string[]): void {
  const { tokens } = state;
  for (; state.at < tokens.length; state.at++) {
    const token = tokens[state.at] ?? '';
    // Checked first: in most US reports RMK comes next.
    if (beginsRemarks(token)) {
      enterRemarks(token, state);
      return;
    }
    if (state.colour && other.beginsForecast(token, state)) {
      readTrend(state);
      return;
    }
    const verdict = readGroup(token, state);
    if (verdict === 'explained') continue;
    if (verdict === undefined) {
      if (token === 'NOSIG') {
        // No forecast follows, but aerodrome groups may: `NOSIG BLU`, `NOSIG RH85`.
        state.noChange = true;
        state.fields.trend ??= 'NOSIG';
        continue;
      }
      if (beginsTrend(token)) {
        readTrend(state);
        return;
      }
      if (endsBeforeReport(state)) return;
      if (readPlainLanguage(token, state) === 'explained' || readRepaired(state)) continue;
    }
    unexplained.push(token);
  }
}

/**
 * A second report in the line. A keyword may also be the last token; after the pressure, a bulletin number or the rest of
 * another keyword may precede it: `Q1012=5 METAR OOMS`.
 */
function endsBeforeReport(state: ParseState): boolean {
  const { tokens, at, hectopascals, inches } = state;
  const token = tokens[at] ?? '';
  if (isReportName(token) && at + 1 === tokens.length) return true;
  if ((hectopascals !== '' || inches !== '') && /^(?:\d{1,2}|(?:METAR|SPECI)[A-Z]{1,3})$/.test(token))
    return isReportName(tokens[at + 1] ?? '') && isStation(tokens[at + 2]);
  return isReportStart(tokens, at) && (isReportName(token) || state.saysNil || hasGroups(state));
}

/** RMK, RMKS or REMARKS, or with the first word of the remark glued on: RMK/TCU, RMKAO2. */
const beginsRemarks = (token: string): boolean =>
  token[0] === 'R' &&
  ((token[1] === 'M' && token[2] === 'K') ||
    (token[1] === 'E' && (token === 'REMARK' || token === 'REMARKS')));

function enterRemarks(token: string, state: ParseState): void {
  const glued = token.length > 4 && token.startsWith('RMK') ? token.slice(3).replace(/^S?[/:.]/, '') : '';
  if (glued === '') state.at += 1;
  else state.tokens[state.at] = glued;
  readRemarks(state);
}

/**
 * NOSIG, BECMG, TEMPO (WMO-No. 306 FM 15, 15.14), and PROBnn, FMhhmm, INTER, which Australia and others take over from
 * their terminal forecasts (FM 51). What follows describes another time, so none of it is read as an observation.
 */
const beginsTrend = (token: string): boolean =>
  /^(?:NOSIG|BECMG|TEMPO|INTER|PROB\d\d|FM(?:\d{4}|\d{6}))$/.test(token);

/** The forecast is kept as sent; remarks may still follow it. */
function readTrend(state: ParseState): void {
  const { tokens } = state;
  const start = state.at;
  while (state.at < tokens.length) {
    const token = tokens[state.at] ?? '';
    if (beginsRemarks(token) || isReportStart(tokens, state.at)) break;
    state.at += 1;
  }
  const trend = tokens.slice(start, state.at).join(' ');
  state.fields.trend = withGroup(state.fields.trend, trend);
  const token = tokens[state.at] ?? '';
  if (beginsRemarks(token)) enterRemarks(token, state);
}

/** True if a repair explained the current token; whatever is left of it is put back to be read next. */
function readRepaired(state: ParseState): boolean {
  const repaired = repair(state);
  if (repaired === undefined) return false;
  const { tokens, at } = state;
  const { text, rest } = repaired;
  const last = at + repaired.taken - 1;
  // A token that ends the body is put back too, so that the main loop sees the repaired text.
  const ends = beginsTrend(text) || beginsRemarks(text);
  if (!ends && readGroup(text, state) !== 'explained') return false;
  state.at = last;
  if (ends) tokens.splice(last, 1, ...(rest === undefined ? [text] : [text, rest]));
  else tokens[last] = rest ?? text;
  if (ends || rest !== undefined) state.at -= 1;
  return true;
}

/**
 * Which readers may handle a token, by its first character; `0` stands for any figure. Groups are recognized by form, not
 * position, because positions vary (wind after the clouds, pressure before the temperature) and garbled reports may lack
 * any group. The likeliest reader comes first.
 */
type Readers = readonly (readonly [reader: Reader, firstCharacters: string])[];

/** Groups of the observation. NOSIG ends it, so they are not read after NOSIG. */
const OBSERVED: Readers = [
  // Before the temperature, for which `///` could be taken.
  [other.readMissing, '/'],
  [readWind, '0/CEV'],
  [readTemperature, '0/MX'],
  [readStatuteMiles, '0/MP'],
  [readMetricVisibility, '0/MP'],
  [readWindVariation, '0/'],
  [readSplitMiles, '0MP'],
  [readCavok, 'C'],
  [readCloud, '/BFOS'],
  [readVerticalVisibility, 'V'],
  [readWeather, '+-BDFGHIMNPRSTUV'],
  [readTornType, 'CT'],
  [readTornGust, 'G'],
];

const NOT_OBSERVED: Readers = [
  [pressure.readInches, 'A'],
  [pressure.readHectopascals, 'Q'],
  [readClearSky, 'CNS'],
  [readRunwayVisualRange, 'R'],
  [readRunwayState, '0RS'],
  [readRecentWeather, 'R'],
  [other.readMissing, '-/KMN'],
  [readQualifier, 'ACMNRS'],
  [other.readColour, 'ABGRWY'],
  [other.readRainOrHumidity, 'HR'],
  [pressure.readBareQfe, '0'],
  [pressure.readBodyQfe, 'Q'],
  [pressure.readBodySeaLevelPressure, 'S'],
  [other.readOtherWind, '0R'],
  [other.readSea, 'W'],
  [other.readWindShear, 'LW'],
  [readMaintenanceSign, '$'],
];

/** By character code: an array lookup costs less than one by string. */
const byCode = (rows: Readers): readonly (readonly Reader[])[] =>
  Array.from({ length: 128 }, (_, code) => {
    const first = String.fromCharCode(code).replace(/\d/, '0');
    return rows.filter(([, characters]) => characters.includes(first)).map(([reader]) => reader);
  });

const READERS = byCode([...OBSERVED, ...NOT_OBSERVED]);
const READERS_AFTER_NOSIG = byCode(NOT_OBSERVED);

function readGroup(token: string, state: ParseState): Verdict {
  const table = state.noChange ? READERS_AFTER_NOSIG : READERS;
  for (const reader of table[token.charCodeAt(0)] ?? []) {
    const verdict = reader(token, state);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}
