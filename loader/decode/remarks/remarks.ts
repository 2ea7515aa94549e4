import type { Draft } from '../draft.ts';
import { isReportName } from '../header.ts';
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
  const additive = sendsAdditiveData(draft);
  for (; draft.at < tokens.length; draft.at++) {
    const token = tokens[draft.at] ?? '';
    // A second report in the same line is not this one's business.
    if (isReportName(token) && (tokens[draft.at + 1]?.length ?? 0) === 4) return;
    const code = token.charCodeAt(0);
    if (code >= 49 && code <= 57) {
      if (additive) readFigures(token, draft);
    } else readWord(token, draft);
  }
  // The maintenance sign ends the report, glued to its last token or not (FMH-1, 12.7.3.b).
  const last = tokens[tokens.length - 1] ?? '';
  if (last[last.length - 1] === '$') draft.fields.maint = true;
}

/**
 * The groups that begin with a figure are American (FMH-1) and, but for the amounts, Canadian and Mexican; the
 * same figures mean other things elsewhere. AO1 or AO2 marks an American station abroad.
 */
function sendsAdditiveData({ station, tokens, at }: Draft): boolean {
  switch (station[0]) {
    case 'K':
    case 'P':
    case 'T':
    case 'C':
    case 'M':
    case 'N':
      return true;
    default:
      return tokens.slice(at, at + 3).some(isStationType);
  }
}

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
  const inInches = draft.station[0] !== 'M';
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
      if (token.startsWith('SLP')) readSeaLevelPressure(token, draft);
      else if (token === 'SNINCR') precipitation.readSnowIncrease(draft);
      break;
    case 'T':
      readHourlyTemperature(token, draft);
      break;
  }
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
