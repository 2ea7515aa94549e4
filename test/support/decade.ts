import type { Filed } from './replay-folder.ts';
import { type IsdRow, met, type Numbered } from './replay-ncei.ts';
import type { Slotted } from './replay-ogimet.ts';

/** What three sources hold of one station. */
export type Decade = {
  readonly iem: readonly Filed[];
  readonly ogimet: readonly Slotted[];
  readonly ncei: { readonly numbers: readonly Numbered[]; readonly rows: readonly IsdRow[] };
};

const OLD = '70000100001';
const NEW = '70000200002';

/**
 * A report every third hour and now and then a special one, as three sources file them: none of them has all, each has
 * its own oddities, and the counts that place those have no common factor, so that all meet all.
 */
export function decadeOf(icao: string, years: readonly number[]): Decade {
  const reports = years.flatMap((year) => reportsOf(icao, year));
  return {
    iem: reports.filter(({ at }) => at % 7 !== 3).map(iemRow),
    ogimet: reports.flatMap(ogimetRows),
    ncei: {
      numbers: [
        { usaf: OLD.slice(0, 6), wban: OLD.slice(6), icao, begin: '19730101', end: `${years.at(-1)}0630` },
        { usaf: NEW.slice(0, 6), wban: NEW.slice(6), icao, begin: `${years[0]}0701`, end: '20250827' },
      ],
      rows: reports.flatMap((report) => nceiRows(report, years)),
    },
  };
}

type Told = {
  readonly icao: string;
  /** Counts the reports of a year. */
  readonly at: number;
  readonly time: Date;
  readonly type: 'METAR' | 'SPECI';
  readonly body: string;
};

function reportsOf(icao: string, year: number): readonly Told[] {
  const start = Date.UTC(year, 0);
  return Array.from({ length: (Date.UTC(year + 1, 0) - start) / 10_800_000 }, (_, at) => {
    const minutes = at % 13 === 4 ? ([7, 51] as const) : ([51] as const);
    return minutes.map((minute): Told => {
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

/** Without keyword and commas. */
function iemRow({ icao, time, body }: Told): Filed {
  const valid = time.toISOString().slice(0, 16).replace('T', ' ');
  return { id: icao, valid, metar: body.replaceAll(',', ' ') };
}

/** Under the slots of bulletins, some of them nearly a day off; NIL with and without a time; corrections beside originals. */
function ogimetRows({ icao, at, time, type, body }: Told): readonly Slotted[] {
  const slotted = (report: string, hoursOff = 0): Slotted => ({
    icao,
    slot: new Date(time.getTime() + hoursOff * 3_600_000).toISOString().replace(/[-T:]/g, '').slice(0, 12),
    report,
  });
  if (at % 10 === 2) return [slotted(`${type} ${icao} NIL=`)];
  if (at % 10 === 7) return [slotted(`${type} ${icao} ${ddhhmm(time)}Z NIL=`)];
  const sent = slotted(`${type} ${body}${at % 19 === 0 ? ' =' : '='}`, at % 83 === 1 ? -20 : 0);
  return at % 101 === 5 ? [sent, slotted(`${type} COR ${body.replace('FEW050', 'BKN050')}=`)] : [sent];
}

/** In both shapes of the remarks, some with a wrong length, some cut; other kinds of reports between them. */
function nceiRows({ at, time, type, body }: Told, years: readonly number[]): readonly IsdRow[] {
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
        ? met(text.slice(0, -20), text.length)
        : met(text, at % 29 === 0 ? 9 : at % 31 === 0 ? text.length + 40 : text.length);
  const rows = numbersAt(time, years).map((id) => row(id, remarks, kind));
  return at % 50 === 0 ? [...rows, row(rows[0]?.id ?? OLD, 'SYN004AAXX', 'FM-12')] : rows;
}

/** The number changes within the first year; in the last both are in use, and hold the same. */
function numbersAt(time: Date, years: readonly number[]): readonly string[] {
  const year = time.getUTCFullYear();
  if (year === years.at(-1)) return [OLD, NEW];
  return year === years[0] && time.getUTCMonth() < 6 ? [OLD] : [NEW];
}

function ddhhmm(time: Date): string {
  const text = time.toISOString();
  return text.slice(8, 10) + text.slice(11, 13) + text.slice(14, 16);
}
