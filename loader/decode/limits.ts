/**
 * Physical limits: a value outside them is a transmission or instrument error, and its group is not read. "Record" is
 * WMO's World Weather and Climate Extremes Archive, rounded outward. "Ours" is a bound that no document gives, with its
 * reason.
 */
export type Limits = {
  readonly lowest: number;
  readonly highest: number;
  readonly unit: string;
  readonly source: string;
};

const row = (lowest: number, highest: number, unit: string, source: string): Limits => ({
  lowest,
  highest,
  unit,
  source,
});

export const LIMITS = {
  temperature: row(-90, 57, 'degrees Celsius', 'Records: Vostok 1983, -89.2; Furnace Creek 1913, 56.7'),
  dewPoint: row(
    -90,
    36,
    'degrees Celsius',
    'Dhahran 2003, 35, and one of rounding; the coldest air bounds it below',
  ),
  dewPointExcess: row(
    -150,
    1,
    'degrees Celsius above the temperature',
    'None is possible; rounding and two sensors make one degree',
  ),
  meanWind: row(0, 163, 'knots', 'Mount Washington 1934: highest five minutes, 188 mph'),
  gust: row(0, 220, 'knots', 'Record: Barrow Island 1996, 113 m/s'),
  // A calm or a missing wind has no direction of its own; 000 with a speed is neither north nor calm (15.5.4).
  peakWindDirection: row(1, 360, 'degrees', 'Ours: a peak wind has a direction, and north is 360'),
  visibility: row(0, 300_000, 'meters', 'Koschmieder: the visual range in air without any particle'),
  cloudBase: row(0, 50_000, 'feet', 'Ours: high cloud is below 60,000 (WMO-No. 407), its base lower'),
  convectiveCloudBase: row(
    0,
    20_000,
    'feet',
    'Ours: CB and TCU begin in the low level (WMO-No. 407), but higher in deserts',
  ),
  runway: row(1, 36, 'tens of degrees', 'ICAO Annex 14, 5.2.2: a tenth of the magnetic bearing'),
  runwayRangeInMeters: row(25, 4000, 'meters', 'Ours: reports are of M0050 to P2000, with a margin'),
  runwayRangeInFeet: row(
    100,
    6500,
    'feet',
    'M0100FT to P6000FT (AFMAN 15-111, table 9.1), and a step of 500',
  ),
  qnh: row(870, 1090, 'hectopascals', 'Records: typhoon Tip 1979, 870; Tosontsengel 2004, 1089.4'),
  qfe: row(
    500,
    1085,
    'hectopascals',
    'Ours: some 585 at 4,411 m, Daocheng Yading, is the lowest of aerodromes',
  ),
  qnhToSeaLevel: row(
    0,
    30,
    'hectopascals',
    'Ours: the two reductions differ by 20 at 3,000 m, more in great cold',
  ),
  pressureTendency: row(0, 30, 'hectopascals in three hours', 'Ours: more than any in 66,094 reports'),
  hourlyAmount: row(0, 12, 'inches', 'Record: Holt 1947, 305 mm in 42 minutes'),
  severalHoursAmount: row(0, 45, 'inches', 'Record: Foc-Foc 1966, 1,144 mm in 12 hours'),
  dailyAmount: row(0, 72, 'inches', 'Record: Foc-Foc 1966, 1,825 mm in 24 hours'),
  snowDepth: row(0, 466, 'inches', 'Mount Ibuki 1927: 1,182 cm'),
  snowIncrease: row(0, 12, 'inches in an hour', 'Copenhagen, New York 1966: 12'),
  iceAccretion: row(0, 8, 'inches', 'Northern Idaho 1961: 8'),
} as const;

export const isWithin = ({ lowest, highest }: Limits, value: number): boolean =>
  value >= lowest && value <= highest;
