import type { Archive } from '../archive.ts';
import { SECONDS_PER_DAY } from '../model/day.ts';
import { clampToArchive, NO_TIME } from '../model/time-window.ts';
import type { Pauses } from '../pauses.ts';
import { streamLines } from '../statements/select.ts';
import { IS_WET, totalOf } from './amounts.ts';
import { ABSENT, type Cell } from './column.ts';
import { incompleteDays, knownCell, type Presence } from './complete-days.ts';
import { compareCells } from './groups.ts';
import { type CountedRow, valuesIn } from './merged-rows.ts';
import type { Statistic } from './question.ts';
import { ofGroup, readByStation, readGauges, readPeriods, type StationPeriods } from './read-periods.ts';
import { judgedColumns, presenceStatement, type StatementSource, valuesStatement } from './statement.ts';
import type { Place } from './times.ts';
import type { GroupPeriods } from './values.ts';

/** Days of all stations together that are in memory at once. A year of a station has 10,000 reports, and up to 27,000. */
export const DAYS_AT_ONCE = 25 * 365;

/** The rows of a statement alone: of a question about nothing but the reports of its groups. */
export async function* readGroups(
  archive: Archive,
  source: StatementSource,
): AsyncGenerator<Iterable<CountedRow>> {
  const count = source.groups.length + 2;
  for await (const lines of streamLines(archive, valuesStatement(source)))
    yield linesOf(lines).map((line) => {
      const cells = line.split('\t', count);
      const groups = cells.slice(1, -1);
      return { station: Number(cells[0]), groups, n: cells.at(-1) as Cell, values: restOf(line, cells) };
    });
}

/**
 * The rows of each station, in the order of the answer, where other reports than those of a group have a say in its values: those
 * of longer times, of its month, and of the days around it.
 */
export async function* readStations(
  archive: Archive,
  source: StatementSource,
  pauses: Pauses,
): AsyncGenerator<Iterable<CountedRow>> {
  const { question, stations, hasPresence } = source;
  const hasDays = question.days === 'complete' && !hasPresence;
  let gauges: ReturnType<typeof readGauges> | undefined;
  const finish = async function* (group: readonly StationRows[]) {
    const numbersOf = (rows: readonly StationRows[]) => rows.map(({ station }) => station);
    const asked = numbersOf(group.filter(({ hasPeriods }) => hasPeriods));
    const periods = await readPeriods(archive, source, asked, pauses);
    const days = hasDays && ofGroup(source, presenceStatement(source), numbersOf(group));
    const presence = days ? await readByStation(archive, days, presenceOf) : undefined;
    for (const rows of group) {
      rows.addPresence(presence?.get(rows.station) ?? []);
      rows.addPeriods(periods.get(rows.station));
      if (rows.needsGauges) {
        // Of all stations, where the first of them needs it.
        gauges ??= readGauges(archive, source);
        rows.addGauges((await gauges).get(rows.station) ?? []);
      }
      yield rows.finish();
    }
  };
  const begin = (station: number) => new StationRows(source, station);
  const size = stationsAtOnce(source);
  let rows = begin(0);
  let group = [rows];
  const next = async function* () {
    if (group.length === size) {
      yield* finish(group);
      group = [];
    }
    rows = begin(rows.station + 1);
    group.push(rows);
  };
  for await (const lines of streamLines(archive, valuesStatement(source)))
    for (const line of linesOf(lines)) {
      const number = Number(line.slice(0, line.indexOf('\t')));
      while (rows.station < number) yield* next();
      rows.add(line);
    }
  while (rows.station + 1 < stations.length) yield* next();
  yield* finish(group);
}

/** Stations whose longer times are read together, and of which all is in memory at once. */
function stationsAtOnce({ question }: StatementSource): number {
  const { from, to } = clampToArchive(question) ?? NO_TIME;
  const seconds = Math.max(SECONDS_PER_DAY, Math.min(to, Date.now() / 1000) - from);
  return Math.max(1, Math.floor((DAYS_AT_ONCE * SECONDS_PER_DAY) / seconds));
}

function linesOf(lines: Buffer): readonly string[] {
  return lines.toString('latin1').trimEnd().split('\n');
}

/** What a line has after its first cells. */
function restOf(line: string, cells: readonly Cell[]): string {
  let end = 0;
  for (const cell of cells) end += cell.length + 1;
  return line.slice(end);
}

/** @param cells of `presenceStatement` */
function presenceOf(cells: readonly Cell[]): Presence {
  return presenceIn(cells, 2, cells.at(-1));
}

/** @param at where the columns of `PRESENCE` begin */
function presenceIn(cells: readonly Cell[], at: number, day: Cell | undefined): Presence {
  return {
    day: Number(day),
    first: Number(cells[at]),
    last: Number(cells[at + 1]),
    count: Number(cells[at + 2]),
    hours: cells[at + 3] as Cell,
  };
}

/** The rows of a station. They stay lines until all are there: their cells are a million of small texts. */
class StationRows {
  readonly station: number;
  /** Whether reports say something of longer times. */
  hasPeriods = false;
  readonly #source: StatementSource;
  readonly #place: Place;
  readonly #presence: Presence[] = [];
  /** The months in which its gauge works or gives an amount. */
  readonly #measured = new Set<string>();
  #periods: ReadonlyMap<string, GroupPeriods> = new Map();
  #lines: string[] = [];
  /** Where the kinds, the gauge, the groups and the parts are among the cells of a line. */
  readonly #at: {
    readonly kinds: number;
    readonly gauge: number;
    readonly groups: number;
    readonly parts: number;
  };

  constructor(source: StatementSource, station: number) {
    this.station = station;
    this.#source = source;
    this.#place = source.placeOf(station);
    const judged = judgedColumns(source);
    const kinds = 1 + judged.part.length + judged.presence.length;
    const gauge = kinds + judged.kinds.length;
    const groups = gauge + judged.gauge.length;
    this.#at = { kinds, gauge, groups, parts: groups + source.groups.length };
  }

  /** @param line of `valuesStatement` */
  add(line: string): void {
    const { hasPresence, hasMargin } = this.#source;
    const { kinds, gauge, groups, parts } = this.#at;
    const cells = line.split('\t', parts);
    for (let at = kinds; at < gauge; at += 1) this.hasPeriods ||= cells[at] === '1';
    if (hasPresence) this.#presence.push(presenceIn(cells, 2, cells[groups]));
    if (hasMargin && cells[1] !== IN_RANGE) return;
    if (gauge < groups && cells[gauge] === '1') this.#measured.add(this.#place.monthsOf(cells.slice(groups)));
    this.#lines.push(line);
  }

  addPresence(presence: readonly Presence[]): void {
    for (const each of presence) this.#presence.push(each);
  }

  addPeriods(periods: StationPeriods | undefined): void {
    if (periods === undefined) return;
    this.#periods = periods.groups;
    for (const months of periods.measured) this.#measured.add(months);
  }

  /** Whether it is open if a gauge works in the month of a dry group: reports outside the range, or without the condition, say so. */
  get needsGauges(): boolean {
    const { parts, condition } = this.#source;
    const { isOfDays, cutMonths, monthsOf } = this.#place;
    const wet = parts.indexOf(IS_WET);
    if (wet < 0 || !isOfDays || (condition === undefined && cutMonths.size === 0)) return false;
    return this.#lines.some((line) => {
      const cells = line.split('\t');
      const groups = cells.slice(this.#at.groups, this.#at.parts);
      const months = monthsOf(groups);
      const isOpen = condition !== undefined || cutMonths.has(months);
      const isKnown = cells[this.#at.parts + wet] !== '0' || this.#measured.has(months);
      return isOpen && !isKnown && totalOf(this.#periodsOf(groups).amounts, false) === undefined;
    });
  }

  /** @param times of reports whose gauge works */
  addGauges(times: readonly number[]): void {
    for (const time of times) this.#place.addMonths(this.#measured, time);
  }

  *finish(): Generator<CountedRow, undefined> {
    const { values, parts, question } = this.#source;
    const incomplete =
      question.days === 'complete' ? incompleteDays(this.#place, this.#presence) : new Set<number>();
    const columns = values.flatMap(({ joined, print }, at) => {
      const places = joined?.parts.map((part) => this.#at.parts + parts.indexOf(part)) ?? [];
      const join = joined?.join;
      return join ? [{ at, join, places, print: question.isMeanYear ? undefined : print }] : [];
    });
    this.#addGroupsOfPeriods();
    for (const line of this.#lines) {
      const cells = line.split('\t', this.#at.parts + parts.length + 1);
      const groups = cells.slice(this.#at.groups, this.#at.parts);
      const periods = this.#periodsOf(groups);
      const computed: (Cell | undefined)[] = values.map(() => undefined);
      for (const { at, join, places, print } of columns) {
        const own = places.map((place) => cells[place] as Cell);
        const cell = join(own, periods, () => this.#measured.has(this.#place.monthsOf(groups)));
        computed[at] = print?.(cell) ?? cell;
      }
      const row = {
        station: this.station,
        groups,
        n: cells.at(-1) as Cell,
        values: restOf(line, cells),
        computed,
      };
      yield incomplete.has(Number(groups[0])) ? this.#knownOf(row) : row;
    }
  }

  #knownOf(row: CountedRow): CountedRow {
    const { statistics } = this.#source.question;
    const cells = valuesIn(row, statistics.length);
    return { ...row, computed: cells.map((cell, at) => knownCell(statistics[at] as Statistic, cell)) };
  }

  /** Adds groups that no report of the range has. */
  #addGroupsOfPeriods(): void {
    const { question, groups, parts, values } = this.#source;
    const known = new Set(
      this.#periods.size === 0 ? [] : this.#lines.map((line) => this.#groupsOf(line).join('\t')),
    );
    const others = [...this.#periods.keys()].filter((group) => !known.has(group));
    if (others.length === 0) return;
    const plain = values.flatMap(({ sql, type }) => (sql ? [type === 'Int64' ? '0' : ABSENT] : []));
    const lines = others.map((group) =>
      [
        this.station,
        ...Array.from({ length: this.#at.groups - 1 }, () => ABSENT),
        ...(groups.length > 0 ? [group] : []),
        ...parts.map(() => ABSENT),
        '0',
        ...plain,
      ].join('\t'),
    );
    const compare = compareCells(question.groups);
    this.#lines = [...this.#lines, ...lines]
      .map((line) => ({ line, groups: this.#groupsOf(line) }))
      .sort((one, other) => compare(one.groups, other.groups))
      .map(({ line }) => line);
  }

  #groupsOf(line: string): readonly Cell[] {
    return line.split('\t', this.#at.parts).slice(this.#at.groups);
  }

  #periodsOf(groups: readonly Cell[]): GroupPeriods {
    if (this.#periods.size === 0) return NO_PERIODS;
    return this.#periods.get(groups.join('\t')) ?? NO_PERIODS;
  }
}

/** As `judgedColumns` have it. */
const IN_RANGE = '1';
const NO_PERIODS: GroupPeriods = {};
