import { digits } from '../characters.ts';
import { readQfe } from '../groups/station-pressure.ts';
import { isReportName, readMaintenanceSign } from '../header.ts';
import type { ParseState } from '../parse-state.ts';
import { readPeakWind } from './peak-wind.ts';
import * as precipitation from './precipitation.ts';
import { readRepeatedInches, readSeaLevelPressure, readTendency } from './pressure.ts';
import { readExtreme, readHourlyTemperature } from './temperature.ts';

/**
 * Everything behind RMK (FMH-1, 12.7, with the practice of Canada, Mexico, Japan and the former Soviet Union).
 * Remarks are free text, so a group is read only where the whole token has its form, and an unknown one is
 * no fault of the report (D8).
 */
export function readRemarks(state: ParseState): void {
  const { tokens } = state;
  let additive = sendsAdditiveData(state.station);
  for (; state.at < tokens.length; state.at++) {
    const token = tokens[state.at] ?? '';
    // A second report in the same line is not this one's business.
    if (isReportName(token) && (tokens[state.at + 1]?.length ?? 0) === 4) return;
    const code = token.charCodeAt(0);
    if (code >= 49 && code <= 57) {
      if (additive) readFigures(token, state);
    } else {
      readWord(token, state);
      additive ||= marksAmericanStation(token);
    }
  }
}

/**
 * The groups that begin with a figure are American (FMH-1) and, but for the amounts, Canadian and Mexican; the
 * same figures mean other things elsewhere.
 */
function sendsAdditiveData(station: string): boolean {
  const region = station[0];
  return (
    region === 'K' || region === 'P' || region === 'T' || region === 'C' || region === 'M' || region === 'N'
  );
}

/** Bases of the United States abroad are known by what stands before those groups: AO2, SLPppp, the T-group. */
const marksAmericanStation = (token: string): boolean =>
  isStationType(token) ||
  (token.length === 6 && token.startsWith('SLP')) ||
  (token.length === 9 && token[0] === 'T' && digits(token, 1, 9) !== -1);

const isStationType = (token: string): boolean =>
  token[0] === 'A' && (token[1] === 'O' || token[1] === '0') && (token[2] === '1' || token[2] === '2');

function readFigures(token: string, state: ParseState): void {
  const { length } = token;
  if (length === 5) readFiveFigures(token, state);
  else if (length === 9) {
    if (token[0] === '4') readExtreme(token, state);
  } else if (length === 6 && token.startsWith('933')) precipitation.readWaterEquivalent(token, state);
}

function readFiveFigures(token: string, state: ParseState): void {
  // Mexico sends its amounts in millimetres.
  const inInches = !state.station.startsWith('MM');
  switch (token[0]) {
    case '1':
    case '2':
      readExtreme(token, state);
      break;
    case '4':
      if (token[1] === '/') precipitation.readSnowDepth(token, state);
      break;
    case '5':
      readTendency(token, state);
      break;
    case '6':
      if (inInches) precipitation.readSeveralHours(token, state);
      break;
    case '7':
      if (inInches) precipitation.readWholeDay(token, state);
      break;
  }
}

function readWord(token: string, state: ParseState): void {
  switch (token[0]) {
    case 'A':
      readWordWithA(token, state);
      break;
    case 'I':
      precipitation.readIceAccretion(token, state);
      break;
    case 'P':
      readWordWithP(token, state);
      break;
    case 'Q':
      if (token.startsWith('QFE')) readQfe(token, 3, state);
      break;
    case 'S':
      if (token.startsWith('SLP')) readSeaLevelWord(token, state);
      else if (token === 'SNINCR') precipitation.readSnowIncrease(state);
      break;
    case 'T':
      readHourlyTemperature(token, state);
      break;
    case '$':
      readMaintenanceSign(token, state);
      break;
  }
}

/** SLP125, torn as `SLP 125`, or with the T-group glued on (SLP169T03060244). */
function readSeaLevelWord(token: string, state: ParseState): void {
  if (token.length === 15 && token[6] === 'T') {
    readSeaLevelPressure(token.slice(0, 6), state);
    readHourlyTemperature(token.slice(6), state);
    return;
  }
  const next = state.tokens[state.at + 1] ?? '';
  const torn = token === 'SLP' && next.length === 3;
  if (readSeaLevelPressure(torn ? token + next : token, state) && torn) state.at += 1;
}

/** AO1 and AO2, often misspelt with a nought, and AO2A of the United States Air Force. */
function readWordWithA(token: string, state: ParseState): void {
  if (!isStationType(token)) readRepeatedInches(token, state);
  else if (token.length <= 4) state.fields.station_type = token[2] === '1' ? 'AO1' : 'AO2';
}

function readWordWithP(token: string, state: ParseState): void {
  switch (token) {
    case 'PK':
      if (state.tokens[state.at + 1] === 'WND') readPeakWind(state, 2);
      break;
    case 'PKWND':
      readPeakWind(state, 1);
      break;
    case 'PRESRR':
      state.fields.presrr = true;
      break;
    case 'PRESFR':
      state.fields.presfr = true;
      break;
    default:
      precipitation.readHourlyAmount(token, state);
  }
}
