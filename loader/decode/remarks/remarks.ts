import { digits } from '../characters.ts';
import { isReportName, readMaintenanceSign } from '../header.ts';
import type { Draft } from '../parse-state.ts';
import { readQfe } from '../station-pressure.ts';
import { readPeakWind } from './peak-wind.ts';
import * as precipitation from './precipitation.ts';
import { readRepeatedInches, readSeaLevelPressure, readTendency } from './pressure.ts';
import { readExtreme, readHourlyTemperature } from './temperature.ts';

/**
 * Everything behind RMK (FMH-1, 12.7, with the practice of Canada, Mexico, Japan and the former Soviet Union).
 * Remarks are free text, so a group is read only where the whole token has its form, and an unknown one is
 * nobody's fault (D8).
 */
export function readRemarks(draft: Draft): void {
  const { tokens } = draft;
  let additive = sendsAdditiveData(draft.station);
  for (; draft.at < tokens.length; draft.at++) {
    const token = tokens[draft.at] ?? '';
    // A second report in the same line is not this one's business.
    if (isReportName(token) && (tokens[draft.at + 1]?.length ?? 0) === 4) return;
    const code = token.charCodeAt(0);
    if (code >= 49 && code <= 57) {
      if (additive) readFigures(token, draft);
    } else {
      readWord(token, draft);
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

function readFigures(token: string, draft: Draft): void {
  const { length } = token;
  if (length === 5) readFiveFigures(token, draft);
  else if (length === 9) {
    if (token[0] === '4') readExtreme(token, draft);
  } else if (length === 6 && token.startsWith('933')) precipitation.readWaterEquivalent(token, draft);
}

function readFiveFigures(token: string, draft: Draft): void {
  // Mexico sends its amounts in millimetres.
  const inInches = !draft.station.startsWith('MM');
  switch (token[0]) {
    case '1':
    case '2':
      readExtreme(token, draft);
      break;
    case '4':
      if (token[1] === '/') precipitation.readSnowDepth(token, draft);
      break;
    case '5':
      readTendency(token, draft);
      break;
    case '6':
      if (inInches) precipitation.readSeveralHours(token, draft);
      break;
    case '7':
      if (inInches) precipitation.readWholeDay(token, draft);
      break;
  }
}

function readWord(token: string, draft: Draft): void {
  switch (token[0]) {
    case 'A':
      readWordWithA(token, draft);
      break;
    case 'I':
      precipitation.readIceAccretion(token, draft);
      break;
    case 'P':
      readWordWithP(token, draft);
      break;
    case 'Q':
      if (token.startsWith('QFE')) readQfe(token, 3, draft);
      break;
    case 'S':
      if (token.startsWith('SLP')) readSeaLevelWord(token, draft);
      else if (token === 'SNINCR') precipitation.readSnowIncrease(draft);
      break;
    case 'T':
      readHourlyTemperature(token, draft);
      break;
    case '$':
      readMaintenanceSign(token, draft);
      break;
  }
}

/** SLP125, torn as `SLP 125`, or with the T-group glued on (SLP169T03060244). */
function readSeaLevelWord(token: string, draft: Draft): void {
  if (token.length === 15 && token[6] === 'T') {
    readSeaLevelPressure(token.slice(0, 6), draft);
    readHourlyTemperature(token.slice(6), draft);
    return;
  }
  const next = draft.tokens[draft.at + 1] ?? '';
  const torn = token === 'SLP' && next.length === 3;
  if (readSeaLevelPressure(torn ? token + next : token, draft) && torn) draft.at += 1;
}

/** AO1 and AO2, often misspelt with a nought, and AO2A of the United States Air Force. */
function readWordWithA(token: string, draft: Draft): void {
  if (!isStationType(token)) readRepeatedInches(token, draft);
  else if (token.length <= 4) draft.fields.station_type = token[2] === '1' ? 'AO1' : 'AO2';
}

function readWordWithP(token: string, draft: Draft): void {
  switch (token) {
    case 'PK':
      if (draft.tokens[draft.at + 1] === 'WND') readPeakWind(draft, 2);
      break;
    case 'PKWND':
      readPeakWind(draft, 1);
      break;
    case 'PRESRR':
      draft.fields.presrr = true;
      break;
    case 'PRESFR':
      draft.fields.presfr = true;
      break;
    default:
      precipitation.readHourlyAmount(token, draft);
  }
}
