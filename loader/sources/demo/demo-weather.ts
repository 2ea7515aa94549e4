/**
 * Synthetic weather of any station at any minute, computed without the minutes before. Only sums, products and integer
 * hashes are used: their results are the same on every machine and with every version of Node.
 */
export type Weather = {
  readonly temperature_c: number;
  readonly dewpoint_c: number;
  readonly windDirection: number;
  readonly windSpeed_kt: number;
  readonly gust_kt: number | undefined;
  readonly pressure_hpa: number;
  readonly visibility_m: number;
  readonly weather: 'FG' | 'BR' | '-RA' | 'RA' | '-SN' | undefined;
  /** Cloud cover in eighths of the sky. */
  readonly oktas: number;
  readonly base_ft: number;
};

const DAY = 1440;
const YEAR = 365.25 * DAY;

/** @param minute minutes since 1970-01-01T00:00:00Z */
export function weatherAt(station: number, minute: number): Weather {
  const meanTemperature = hash(station, 0, 1) * 36 - 8;
  const season = (hash(station, 0, 2) * 24 - 8) * wave(minute / YEAR - 0.3);
  const daytime = (2 + hash(station, 0, 3) * 5) * wave(minute / DAY - 0.35 + hash(station, 0, 4));
  const temperature_c = Math.round(
    meanTemperature + season + daytime + 10 * (drift(station, minute, 72, 5) - 0.5),
  );
  const moisture = drift(station, minute, 30, 6);
  const dewpoint_c = temperature_c - Math.round(14 * (1 - moisture) * (1 - moisture));
  const gustiness = drift(station, minute, 20, 7) * drift(station, minute, 7, 8);
  const windSpeed_kt = Math.round(34 * gustiness);
  const cover = drift(station, minute, 16, 9) * 0.6 + moisture * 0.4;
  const isWet = cover > 0.62 && drift(station, minute, 5, 10) > 0.55;
  const isFoggy = !isWet && temperature_c - dewpoint_c <= 1 && windSpeed_kt < 6;
  const obscuration = drift(station, minute, 3, 11);
  return {
    temperature_c,
    dewpoint_c,
    windDirection: (Math.round(drift(station, minute, 60, 12) * 72) * 10) % 360,
    windSpeed_kt,
    gust_kt: windSpeed_kt > 14 && hash(station, minute, 13) > 0.4 ? windSpeed_kt + 10 : undefined,
    pressure_hpa: Math.round(1013 + 50 * (drift(station, minute, 96, 14) - 0.5)),
    visibility_m: isFoggy
      ? 200 + 100 * Math.floor(obscuration * 40)
      : isWet
        ? 2000 + 1000 * Math.floor(obscuration * 8)
        : 10_000,
    weather: isFoggy
      ? obscuration < 0.2
        ? 'FG'
        : 'BR'
      : !isWet
        ? undefined
        : temperature_c < 1
          ? '-SN'
          : obscuration < 0.4
            ? 'RA'
            : '-RA',
    oktas: Math.min(8, Math.floor(cover * 11)),
    base_ft:
      300 + 100 * Math.floor(hash(station, Math.floor(minute / 90), 15) * (isWet || isFoggy ? 20 : 90)),
  };
}

/** From 0 to 1, by three integers. The last three lines are the finalizer of MurmurHash3. */
export function hash(a: number, b: number, c: number): number {
  let h = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b) ^ Math.imul(c + 1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** From 0 to 1: interpolates between hashed values that are `hours` apart (smoothstep). */
function drift(station: number, minute: number, hours: number, salt: number): number {
  const at = minute / (hours * 60);
  const knot = Math.floor(at);
  const step = at - knot;
  const before = hash(station, knot, salt);
  return before + (hash(station, knot + 1, salt) - before) * step * step * (3 - 2 * step);
}

/** A period of 1 and values from -1 to 1: two parabolas, because the last digits of a cosine depend on the machine. */
function wave(turns: number): number {
  const at = 2 * (turns - Math.floor(turns)) - 1;
  return 4 * at * (1 - Math.abs(at));
}
