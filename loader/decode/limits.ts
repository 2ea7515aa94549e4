/**
 * Physical limits, lowest and highest: a value outside them is a transmission or instrument error, and its group is not
 * read. docs/guide/decoded-fields.md has the unit and the source of each.
 */
export const LIMITS = {
  temperature: { lowest: -89.2, highest: 56.7 },
  dewPoint: { lowest: -90, highest: 36 },
  dewPointExcess: { lowest: -150, highest: 1 },
  meanWind: { lowest: 0, highest: 163 },
  gust: { lowest: 0, highest: 220 },
  // A calm or a missing wind has no direction of its own; 000 with a speed is neither north nor calm (15.5.4).
  peakWindDirection: { lowest: 10, highest: 360 },
  visibility: { lowest: 0, highest: 300_000 },
  cloudBase: { lowest: 0, highest: 50_000 },
  convectiveCloudBase: { lowest: 0, highest: 20_000 },
  runway: { lowest: 1, highest: 36 },
  runwayRangeInMeters: { lowest: 25, highest: 4000 },
  runwayRangeInFeet: { lowest: 100, highest: 6500 },
  qnh: { lowest: 870, highest: 1085 },
  qfe: { lowest: 500, highest: 1085 },
  qnhToSeaLevel: { lowest: 0, highest: 30 },
  pressureTendency: { lowest: 0, highest: 30 },
  hourlyAmount: { lowest: 0, highest: 12 },
  severalHoursAmount: { lowest: 0, highest: 45 },
  dailyAmount: { lowest: 0, highest: 72 },
  snowDepth: { lowest: 0, highest: 466 },
  snowIncrease: { lowest: 0, highest: 12 },
  hail: { lowest: 0.25, highest: 8 },
  iceAccretion: { lowest: 0, highest: 8 },
} as const satisfies Readonly<Record<string, Limits>>;

export type Limits = { readonly lowest: number; readonly highest: number };

export const isWithinLimits = ({ lowest, highest }: Limits, value: number): boolean =>
  value >= lowest && value <= highest;
