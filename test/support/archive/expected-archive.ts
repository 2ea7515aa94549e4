import type { IemReport } from '../sources/iem-reports.ts';
import type { IsdRow } from '../sources/replay-ncei.ts';
import type { OgimetReport } from '../sources/replay-ogimet.ts';

/** A report of a source's file, parsed without any code of the loader. */
export type SourceReport = {
  readonly source: 'iem' | 'ogimet' | 'ncei';
  readonly station: string;
  /** `YYYY-MM-DD HH:MM`. */
  readonly valid: string;
  readonly text: string;
};

/** The most faithful source first (D4). */
const BY_RANK: readonly SourceReport['source'][] = ['ogimet', 'ncei', 'iem'];

export function readIem(rows: readonly IemReport[]): readonly SourceReport[] {
  return rows.map(({ id, valid, metar }) => ({ source: 'iem', station: id, valid, text: oneLine(metar) }));
}

/** The time is that of the report, on the day nearest to the bulletin's; a NIL report without a time is skipped (D8). */
export function readOgimet(rows: readonly OgimetReport[]): readonly SourceReport[] {
  return rows.flatMap(({ icao, slot, report }): readonly SourceReport[] => {
    const [, day, hour, minute] = /\b(\d\d)(\d\d)(\d\d)Z/.exec(report) ?? [];
    if (day === undefined) return [];
    const filed = Date.UTC(Number(slot.slice(0, 4)), Number(slot.slice(4, 6)) - 1, Number(slot.slice(6, 8)));
    const date = [-1, 0, 1]
      .map((days) => new Date(filed + days * 86_400_000).toISOString().slice(0, 10))
      .find((candidate) => candidate.endsWith(`-${day}`));
    return [{ source: 'ogimet', station: icao, valid: `${date} ${hour}:${minute}`, text: oneLine(report) }];
  });
}

/** The text of a MET block, without time stamp and initials; one shorter than its length and without an end is cut short. */
export function readNcei(station: string, rows: readonly IsdRow[]): readonly SourceReport[] {
  return rows.flatMap(({ type, date, remarks }): readonly SourceReport[] => {
    const [, length, text = ''] = /^MET(\d{3})(.*)$/.exec(remarks) ?? [];
    if (!type.startsWith('FM-1') || type === 'FM-12' || length === undefined) return [];
    if (Number(length) > text.length && !/[=)]$/.test(text)) return [];
    const report = text.replace(/^\S+ \S+ (?=METAR|SPECI)/, '').replace(/ \([A-Z]{2}\)$/, '');
    return [{ source: 'ncei', station, valid: date.slice(0, 16).replace('T', ' '), text: oneLine(report) }];
  });
}

/** Two texts are one report (D4) when station, minute and body are the same. */
export function identityOf({ station, valid, text }: Omit<SourceReport, 'source'>): string {
  const body = text
    .replace(/^(METAR|SPECI) /, '')
    .replace(/\bCOR /, '')
    .replace(/[,\s]+/g, ' ');
  return `${station} ${valid} ${body}`;
}

/** Each report once, with the text of the most faithful source; METAR at minute 51 where the text has no keyword. */
export function expectedArchive(reports: readonly SourceReport[]): readonly string[] {
  const best = new Map<string, SourceReport>();
  for (const source of BY_RANK)
    for (const report of reports) {
      const identity = identityOf(report);
      if (report.source === source && !best.has(identity)) best.set(identity, report);
    }
  return [...best.values()].map(lineOf).sort();
}

function lineOf({ source, station, valid, text }: SourceReport): string {
  const keyword = /^(METAR|SPECI) /.exec(text)?.[1];
  return `${station} ${valid} ${keyword ?? (valid.endsWith(':51') ? 'METAR' : 'SPECI')} ${source} ${text}`;
}

function oneLine(text: string): string {
  return text
    .replace(/[\s=]+$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
