import { readMaintenanceSign, readQualifier } from '../header.ts';
import type { ParseState, Reader, Verdict } from '../parse-state.ts';
import { readClearSky, readCloud, readTornType, readVerticalVisibility } from './clouds.ts';
import {
  readBareQfe,
  readBodyQfe,
  readBodySeaLevelPressure,
  readHectopascals,
  readInches,
} from './pressure.ts';
import { readRunwayState, readRunwayVisualRange } from './runway.ts';
import * as other from './supplementary.ts';
import { readTemperature } from './temperature.ts';
import { readCavok, readMetricVisibility, readSplitMiles, readStatuteMiles } from './visibility.ts';
import { readRecentWeather, readWeather } from './weather.ts';
import { readTornGust, readWind, readWindVariation } from './wind.ts';

/**
 * Which readers may handle a token, by its first character. Groups are recognized by form, not position, because
 * positions vary (wind after the clouds, pressure before the temperature) and garbled reports may lack any group. The
 * likeliest reader comes first.
 */
const figures: readonly Reader[] = [
  readWind,
  readTemperature,
  readStatuteMiles,
  readMetricVisibility,
  readWindVariation,
  readSplitMiles,
  readRunwayState,
  readBareQfe,
  other.readOtherWind,
];

const BY_FIRST: Readonly<Record<string, readonly Reader[]>> = {
  A: [readInches, readQualifier, other.readColour],
  B: [readCloud, readWeather, other.readColour],
  C: [readCavok, readClearSky, readTornType, readQualifier, readWind],
  D: [readWeather],
  E: [readWind],
  F: [readCloud, readWeather],
  G: [readWeather, other.readColour, readTornGust],
  H: [readWeather, other.readRainOrHumidity],
  I: [readWeather],
  L: [other.readWindShear],
  M: [
    readTemperature,
    readStatuteMiles,
    readMetricVisibility,
    readWeather,
    other.readMissing,
    readSplitMiles,
    readQualifier,
  ],
  N: [readClearSky, readWeather, readQualifier, other.readMissing],
  O: [readCloud],
  P: [readStatuteMiles, readMetricVisibility, readWeather, readSplitMiles],
  Q: [readHectopascals, readBodyQfe],
  R: [
    readWeather,
    readRunwayVisualRange,
    readRunwayState,
    readRecentWeather,
    other.readRainOrHumidity,
    other.readOtherWind,
    other.readColour,
    readQualifier,
  ],
  S: [readClearSky, readCloud, readWeather, readRunwayState, readBodySeaLevelPressure, readQualifier],
  T: [readWeather, readTornType],
  U: [readWeather],
  V: [readWind, readVerticalVisibility, readWeather],
  W: [other.readSea, other.readWindShear, other.readColour],
  X: [readTemperature],
  Y: [other.readColour],
  $: [readMaintenanceSign],
  '+': [readWeather],
  '-': [readWeather, other.readMissing],
  '/': [
    other.readMissing,
    readWind,
    readWindVariation,
    readCloud,
    readMetricVisibility,
    readStatuteMiles,
    readTemperature,
  ],
};

/** The readers by character code: an array lookup costs less than one by string. */
const READERS: readonly (readonly Reader[])[] = Array.from({ length: 128 }, (_, code) =>
  code >= 48 && code <= 57 ? figures : (BY_FIRST[String.fromCharCode(code)] ?? []),
);

/** Groups of the observation. NOSIG ends it, so they are not read after NOSIG. */
const OBSERVED: readonly Reader[] = [
  readWind,
  readTornGust,
  readWindVariation,
  readMetricVisibility,
  readStatuteMiles,
  readSplitMiles,
  readCavok,
  readWeather,
  readCloud,
  readTornType,
  readVerticalVisibility,
  readTemperature,
];

const READERS_AFTER_NOSIG = READERS.map((readers) => readers.filter((reader) => !OBSERVED.includes(reader)));

export function readGroup(token: string, state: ParseState): Verdict {
  const table = state.noChange ? READERS_AFTER_NOSIG : READERS;
  const readers = table[token.charCodeAt(0)];
  if (readers === undefined) return undefined;
  for (const reader of readers) {
    const verdict = reader(token, state);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}
