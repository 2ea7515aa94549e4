import { SECONDS_PER_HOUR } from '../../../clickhouse/model/day.ts';
import type { SourceRow } from '../../../loader/sources/format.ts';

/** What a report measures: tenths of °C, hundredths of an inch, kt. */
type Measured = {
  readonly temperature: number;
  readonly dewPoint: number;
  readonly precipitation: number;
  readonly gust: number;
};

/** The groups of a demo report from which the remarks of an American station are computed. */
const GROUPS =
  /^METAR \S+ \S+ AUTO (?<direction>...)(?<speed>\d\d)(?:G(?<gust>\d\d))?KT .* (?<temperature>M?\d\d)\/(?<dewPoint>M?\d\d) A(?<inches>\d{4}) RMK /;

const SIX_HOURS = 6;
const DAY_HOURS = 24;

/**
 * The reports of an American demo station, with the remarks of an automated station of the USA (FMH-1, chapter 12): hourly
 * amounts, tenths of temperatures, pressure, amounts of three, six and 24 hours, extremes of six and 24 hours, and peak winds.
 * These make the days of such a station cost more than those of any other.
 */
export function withAmounts(rows: readonly SourceRow[]): readonly SourceRow[] {
  const past: Measured[] = [];
  return rows.map((row) => {
    const groups = GROUPS.exec(row.text)?.groups;
    if (groups === undefined) return row;
    const noise = (row.filedAt / SECONDS_PER_HOUR) | 0;
    const isWet = / [-+]?(SH|TS|FZ)*(RA|SN|DZ)/.test(row.text);
    past.push({
      temperature: 10 * degrees(groups.temperature) + (noise % 9) - 4,
      dewPoint: 10 * degrees(groups.dewPoint) + (noise % 7) - 3,
      precipitation: isWet ? (noise * 7) % 13 : 0,
      gust: Number(groups.gust ?? groups.speed),
    });
    if (past.length > DAY_HOURS) past.shift();
    const minute = String((row.filedAt / 60) % 60).padStart(2, '0');
    const hour = Math.round(row.filedAt / SECONDS_PER_HOUR) % DAY_HOURS;
    const remarks = [...remarksOf(past, hour, groups, minute), 'SYNTHETIC'].join(' ');
    return { ...row, text: row.text.replace('RMK SYNTHETIC', `RMK AO2 ${remarks}`) };
  });
}

function remarksOf(
  past: readonly Measured[],
  hour: number,
  { direction, inches }: Readonly<Record<string, string>>,
  minute: string,
): readonly string[] {
  const last = past.at(-1) as Measured;
  const sixHours = past.slice(-SIX_HOURS);
  const temperatures = (hours: readonly Measured[]) => hours.map(({ temperature }) => temperature);
  const amount = (hours: readonly Measured[]) => hours.reduce((sum, each) => sum + each.precipitation, 0);
  const isSynoptic = hour % SIX_HOURS === 0;
  const groups: (string | false)[] = [
    last.gust > 25 && direction !== 'VRB' && `PK WND ${direction}${last.gust}/${minute}`,
    `SLP${String(Math.round(Number(inches) * 3.38639)).slice(-3)}`,
    last.precipitation > 0 && `P${digits(last.precipitation, 4)}`,
    hour % 3 === 0 && amount(sixHours) > 0 && `6${digits(amount(isSynoptic ? sixHours : past.slice(-3)), 4)}`,
    hour === 12 && amount(past) > 0 && `7${digits(amount(past), 4)}`,
    `T${signed(last.temperature)}${signed(last.dewPoint)}`,
    isSynoptic && `1${signed(Math.max(...temperatures(sixHours)))}`,
    isSynoptic && `2${signed(Math.min(...temperatures(sixHours)))}`,
    hour === 5 && `4${signed(Math.max(...temperatures(past)))}${signed(Math.min(...temperatures(past)))}`,
  ];
  return groups.filter((group) => group !== false);
}

function degrees(text = ''): number {
  return text.startsWith('M') ? -Number(text.slice(1)) : Number(text);
}

function signed(tenths: number): string {
  return `${tenths < 0 ? 1 : 0}${digits(Math.abs(tenths), 3)}`;
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
