import type { IemReport } from './iem-reports.ts';
import { type IsdRow, type IsdStation, metBlock } from './replay-ncei.ts';
import type { OgimetReport } from './replay-ogimet.ts';

/** The reports of one station in the formats of three sources. */
export type SourceFixtures = {
  readonly iem: readonly IemReport[];
  readonly ogimet: readonly OgimetReport[];
  readonly ncei: { readonly numbers: readonly IsdStation[]; readonly rows: readonly IsdRow[] };
};

const OLD_ID = '70000100001';
const NEW_ID = '70000200002';

/**
 * A report every third hour and some SPECIs. No source has all of them, and each has its own irregularities. The numbers that place
 * these have no common factor, so that every combination occurs.
 */
export function sourceFixtures(icao: string, years: readonly number[]): SourceFixtures {
  const reports = years.flatMap((year) => reportsOf(icao, year));
  return {
    iem: reports.filter(({ at }) => at % 7 !== 3).map(iemReport),
    ogimet: reports.flatMap(ogimetRows),
    ncei: {
      numbers: [
        {
          usaf: OLD_ID.slice(0, 6),
          wban: OLD_ID.slice(6),
          icao,
          begin: '19730101',
          end: `${years.at(-1)}0630`,
        },
        { usaf: NEW_ID.slice(0, 6), wban: NEW_ID.slice(6), icao, begin: `${years[0]}0701`, end: '20250827' },
      ],
      rows: reports.flatMap((report) => isdRows(report, years)),
    },
  };
}

type FixtureReport = {
  readonly icao: string;
  /** Index within the year. */
  readonly at: number;
  readonly time: Date;
  readonly type: 'METAR' | 'SPECI';
  readonly body: string;
};

function reportsOf(icao: string, year: number): readonly FixtureReport[] {
  const start = Date.UTC(year, 0);
  return Array.from({ length: (Date.UTC(year + 1, 0) - start) / 10_800_000 }, (_, at) => {
    const minutes = at % 13 === 4 ? ([7, 51] as const) : ([51] as const);
    return minutes.map((minute): FixtureReport => {
      const time = new Date(start + at * 10_800_000 + minute * 60_000);
      const wind = `180${10 + (at % 9)}KT 9999 FEW050 ${10 + (at % 9)}/05 Q1013`;
      const remark = at % 17 === 0 ? ' RMK A, B' : '';
      return {
        icao,
        at,
        time,
        type: minute === 7 ? 'SPECI' : 'METAR',
        body: `${icao} ${ddhhmm(time)}Z ${wind}${remark}`,
      };
    });
  }).flat();
}

/** IEM has no keyword and no commas. */
function iemReport({ icao, time, body }: FixtureReport): IemReport {
  const valid = time.toISOString().slice(0, 16).replace('T', ' ');
  return { id: icao, valid, metar: body.replaceAll(',', ' ') };
}

/** Times of bulletins, some of them nearly a day off; NIL with and without a time; corrections and their originals. */
function ogimetRows({ icao, at, time, type, body }: FixtureReport): readonly OgimetReport[] {
  const filed = (report: string, hoursOff = 0): OgimetReport => ({
    icao,
    slot: new Date(time.getTime() + hoursOff * 3_600_000).toISOString().replace(/[-T:]/g, '').slice(0, 12),
    report,
  });
  if (at % 10 === 2) return [filed(`${type} ${icao} NIL=`)];
  if (at % 10 === 7) return [filed(`${type} ${icao} ${ddhhmm(time)}Z NIL=`)];
  const row = filed(`${type} ${body}${at % 19 === 0 ? ' =' : '='}`, at % 83 === 1 ? -20 : 0);
  return at % 101 === 5 ? [row, filed(`${type} COR ${body.replace('FEW050', 'BKN050')}=`)] : [row];
}

/** Both forms of the remarks, some with a wrong length, some cut short; other kinds of reports between them. */
function isdRows({ at, time, type, body }: FixtureReport, years: readonly number[]): readonly IsdRow[] {
  const date = time.toISOString().slice(0, 19);
  const row = (id: string, remarks: string, kind: string): IsdRow => ({ id, date, type: kind, remarks });
  const kind = type === 'METAR' ? 'FM-15' : 'FM-16';
  const local = new Date(time.getTime() - 5 * 3_600_000).toISOString();
  const stamp = `${local.slice(5, 7)}/${local.slice(8, 10)}/${local.slice(2, 4)} ${local.slice(11, 19)}`;
  const text = at % 2 === 0 ? `${stamp} ${type} ${body} (DF)` : `${type} ${body}=`;
  const remarks =
    at % 3 === 1
      ? 'SYN004AAXX'
      : at % 97 === 9
        ? metBlock(text.slice(0, -20), text.length)
        : metBlock(text, at % 29 === 0 ? 9 : at % 31 === 0 ? text.length + 40 : text.length);
  const rows = isdStationsAt(time, years).map((id) => row(id, remarks, kind));
  return at % 50 === 0 ? [...rows, row(rows[0]?.id ?? OLD_ID, 'SYN004AAXX', 'FM-12')] : rows;
}

/** The ISD station id changes within the first year; in the last year both ids have the same reports. */
function isdStationsAt(time: Date, years: readonly number[]): readonly string[] {
  const year = time.getUTCFullYear();
  if (year === years.at(-1)) return [OLD_ID, NEW_ID];
  return year === years[0] && time.getUTCMonth() < 6 ? [OLD_ID] : [NEW_ID];
}

function ddhhmm(time: Date): string {
  const text = time.toISOString();
  return text.slice(8, 10) + text.slice(11, 13) + text.slice(14, 16);
}
