import type { Filed } from './replay-folder.ts';
import type { IsdRow } from './replay-ncei.ts';
import type { Slotted } from './replay-ogimet.ts';

/** A report as its source's file gives it, read without anything of the loader. */
export type Read = {
  readonly source: 'iem' | 'ogimet' | 'ncei';
  readonly station: string;
  /** `YYYY-MM-DD HH:MM`. */
  readonly valid: string;
  readonly text: string;
};

/** The most faithful first (D4). */
const FAITH: readonly Read['source'][] = ['ogimet', 'ncei', 'iem'];

export function readIem(rows: readonly Filed[]): readonly Read[] {
  return rows.map(({ id, valid, metar }) => ({ source: 'iem', station: id, valid, text: oneLine(metar) }));
}

/** A report's own time counts, at the day next to its slot; a NIL without one is no report (D8). */
export function readOgimet(rows: readonly Slotted[]): readonly Read[] {
  return rows.flatMap(({ icao, slot, report }): readonly Read[] => {
    const [, day, hour, minute] = /\b(\d\d)(\d\d)(\d\d)Z/.exec(report) ?? [];
    if (day === undefined) return [];
    const filed = Date.UTC(Number(slot.slice(0, 4)), Number(slot.slice(4, 6)) - 1, Number(slot.slice(6, 8)));
    const date = [-1, 0, 1]
      .map((days) => new Date(filed + days * 86_400_000).toISOString().slice(0, 10))
      .find((candidate) => candidate.endsWith(`-${day}`));
    return [{ source: 'ogimet', station: icao, valid: `${date} ${hour}:${minute}`, text: oneLine(report) }];
  });
}

/** The text of a MET block, without stamp and initials; what ends before its length and without an end was cut. */
export function readNcei(station: string, rows: readonly IsdRow[]): readonly Read[] {
  return rows.flatMap(({ type, date, remarks }): readonly Read[] => {
    const [, length, text = ''] = /^MET(\d{3})(.*)$/.exec(remarks) ?? [];
    if (!type.startsWith('FM-1') || type === 'FM-12' || length === undefined) return [];
    if (Number(length) > text.length && !/[=)]$/.test(text)) return [];
    const report = text.replace(/^\S+ \S+ (?=METAR|SPECI)/, '').replace(/ \([A-Z]{2}\)$/, '');
    return [{ source: 'ncei', station, valid: date.slice(0, 16).replace('T', ' '), text: oneLine(report) }];
  });
}

/** What makes two texts one report (D4): the same station, minute and body. */
export function identityOf({ station, valid, text }: Omit<Read, 'source'>): string {
  const body = text
    .replace(/^(METAR|SPECI) /, '')
    .replace(/\bCOR /, '')
    .replace(/[,\s]+/g, ' ');
  return `${station} ${valid} ${body}`;
}

/** Each report once, with the text of the most faithful source; METAR at :51 where no keyword tells. */
export function archiveOf(reads: readonly Read[]): readonly string[] {
  const best = new Map<string, Read>();
  for (const source of FAITH)
    for (const read of reads) {
      const identity = identityOf(read);
      if (read.source === source && !best.has(identity)) best.set(identity, read);
    }
  return [...best.values()].map(lineOf).sort();
}

function lineOf({ source, station, valid, text }: Read): string {
  const keyword = /^(METAR|SPECI) /.exec(text)?.[1];
  return `${station} ${valid} ${keyword ?? (valid.endsWith(':51') ? 'METAR' : 'SPECI')} ${source} ${text}`;
}

function oneLine(text: string): string {
  return text
    .replace(/[\s=]+$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
