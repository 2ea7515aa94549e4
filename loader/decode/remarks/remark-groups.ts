import { readColourRemark } from '../groups/colour.ts';
import { readQfe } from '../groups/station-pressure.ts';
import { readMaintenanceSign } from '../header.ts';
import type { ParseState } from '../parse-state.ts';
import { readPeakWind } from './peak-wind.ts';
import * as precipitation from './precipitation.ts';
import { readRepeatedInches, readSeaLevelPressure, readTendency } from './pressure.ts';
import { readStationType } from './station-type.ts';
import { readExtreme, readHourlyTemperature } from './temperature.ts';

type RemarkGroup = {
  /** The start of the token; the first matching row gets it. */
  readonly begins: string;
  /** The length of the whole token; any if omitted. */
  readonly length?: number;
  /** Whether the figures mean this in the station's reports; always if omitted. */
  readonly isSent?: (state: ParseState) => boolean;
  readonly read: (token: string, state: ParseState) => void;
};

const isAdditive = ({ hasAdditiveData }: ParseState): boolean => hasAdditiveData;

/** Mexico sends amounts in millimeters. */
const isInInches = (state: ParseState): boolean => state.hasAdditiveData && !state.station.startsWith('MM');

/** Every remark that is read, in the forms of FMH-1, 12.7. */
const REMARK_GROUPS: readonly RemarkGroup[] = [
  // AO1 and AO2, often misspelled with a zero.
  { begins: 'AO', read: readStationType },
  { begins: 'A0', read: readStationType },
  { begins: 'A', length: 5, read: readRepeatedInches },
  { begins: 'PK', length: 2, read: readPeakWind },
  { begins: 'PKWND', length: 5, read: readPeakWind },
  {
    begins: 'PRESRR',
    length: 6,
    read: (_, { fields }) => {
      fields.presrr = true;
    },
  },
  {
    begins: 'PRESFR',
    length: 6,
    read: (_, { fields }) => {
      fields.presfr = true;
    },
  },
  // SLPppp, also torn and with the T-group glued on.
  { begins: 'SLP', read: readSeaLevelPressure },
  // Prrrr, 6RRRR, 7RRRR, 4/sss, 933RRR, SNINCR i/d, Ihnnn.
  { begins: 'P', length: 5, read: precipitation.readHourlyAmount },
  { begins: '6', length: 5, isSent: isInInches, read: precipitation.readSeveralHours },
  { begins: '7', length: 5, isSent: isInInches, read: precipitation.readWholeDay },
  { begins: '4/', length: 5, isSent: isAdditive, read: precipitation.readSnowDepth },
  { begins: '933', length: 6, isSent: isAdditive, read: precipitation.readWaterEquivalent },
  { begins: 'SNINCR', length: 6, read: precipitation.readSnowIncrease },
  { begins: 'I', length: 5, read: precipitation.readIceAccretion },
  // TsnTTTsnTTT, 1snTTT, 2snTTT, 4snTTTsnTTT.
  { begins: 'T', read: readHourlyTemperature },
  { begins: '1', length: 5, isSent: isAdditive, read: readExtreme },
  { begins: '2', length: 5, isSent: isAdditive, read: readExtreme },
  { begins: '4', length: 9, isSent: isAdditive, read: readExtreme },
  // 5appp.
  { begins: '5', length: 5, isSent: isAdditive, read: readTendency },
  { begins: 'QFE', read: (token, state) => void readQfe(token, 3, state) },
  ...['BLU', 'WHT', 'GRN', 'YLO', 'AMB', 'RED', 'BLACK'].map((begins) => ({
    begins,
    read: readColourRemark,
  })),
  { begins: '$', length: 1, read: readMaintenanceSign },
];

/** The rows by the code of the first character. */
const BY_CODE: readonly (readonly RemarkGroup[])[] = Array.from({ length: 128 }, (_, code) =>
  REMARK_GROUPS.filter(({ begins }) => begins.charCodeAt(0) === code),
);

export function readRemark(token: string, state: ParseState): void {
  const groups = BY_CODE[token.charCodeAt(0)];
  if (groups === undefined) return;
  for (const { begins, length, isSent, read } of groups) {
    if (length !== undefined && length !== token.length) continue;
    if (begins.length > 1 && !token.startsWith(begins)) continue;
    if (isSent === undefined || isSent(state)) read(token, state);
    return;
  }
}
