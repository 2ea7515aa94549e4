import type { Archive } from '../archive.ts';
import { streamLines } from '../statements/select.ts';
import { IS_GAUGE_AT_WORK, IS_WET, totalOf } from './amounts.ts';
import { ABSENT, type Cell } from './column.ts';
import { incompleteDays, knownCell, type Presence } from './complete-days.ts';
import { compareCells } from './groups.ts';
import { type CountedRow, valuesIn } from './merged-rows.ts';
import type { Place } from './place.ts';
import type { Statistic } from './question.ts';
import { readByStation, readGauges, readPeriods, type StationPeriods } from './read-periods.ts';
import { presenceStatement, type StatementSource, valuesStatement, withKinds } from './statement.ts';
import type { GroupPeriods, PeriodKind } from './values.ts';

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
  asked: StatementSource,
): AsyncGenerator<Iterable<CountedRow>> {
  const { question, stations, hasPresence } = asked;
  const [presence, periods] = await Promise.all([
    question.days === 'complete' && !hasPresence
      ? readByStation(archive, presenceStatement(asked), presenceOf)
      : undefined,
    readPeriods(archive, asked),
  ]);
  const source = withKinds(asked, kindsOf(periods));
  let gauges: ReturnType<typeof readGauges> | undefined;
  const begin = (number: number) =>
    new StationRows(source, number, periods.get(number), presence?.get(number));
  const finish = async (rows: StationRows) => {
    if (rows.needsGauges) {
      gauges ??= readGauges(archive, source);
      rows.addGauges((await gauges).get(rows.station) ?? []);
    }
    return rows.finish();
  };
  let rows = begin(0);
  for await (const lines of streamLines(archive, valuesStatement(source)))
    for (const line of linesOf(lines)) {
      const number = Number(line.slice(0, line.indexOf('\t')));
      for (; rows.station < number; rows = begin(rows.station + 1)) yield await finish(rows);
      rows.add(line);
    }
  yield await finish(rows);
  for (let station = rows.station + 1; station < stations.length; station += 1)
    yield await finish(begin(station));
}

function kindsOf(periods: ReadonlyMap<number, StationPeriods>): ReadonlySet<PeriodKind> {
  const kinds = new Set<PeriodKind>(['amounts']);
  for (const { groups } of periods.values())
    for (const { peak, highest, lowest } of groups.values()) {
      if (peak !== undefined) kinds.add('peaks');
      if (highest !== undefined || lowest !== undefined) kinds.add('extremes');
    }
  return kinds;
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

/** @param cells the station, those of `presenceColumns` and others; last the day */
function presenceOf(cells: readonly Cell[]): Presence {
  return {
    day: Number(cells.at(-1)),
    first: Number(cells[2]),
    last: Number(cells[3]),
    count: Number(cells[4]),
    hours: cells[5] as Cell,
  };
}

/** The rows of a station. They stay lines until all are there: their cells are a million of small texts. */
class StationRows {
  readonly station: number;
  readonly #source: StatementSource;
  readonly #place: Place;
  readonly #periods: StationPeriods;
  readonly #presence: Presence[];
  /** Of the lines. */
  readonly #groups = new Set<string>();
  #lines: string[] = [];
  /** How many cells a line has before its groups, and with them. */
  readonly #beforeGroups: number;
  readonly #withGroups: number;

  constructor(
    source: StatementSource,
    station: number,
    periods: StationPeriods = { groups: new Map(), measured: new Set() },
    presence: readonly Presence[] = [],
  ) {
    this.station = station;
    this.#source = source;
    this.#place = source.placeOf(station);
    this.#periods = periods;
    this.#presence = [...presence];
    this.#beforeGroups = 1 + source.judged.length;
    this.#withGroups = this.#beforeGroups + source.groups.length;
  }

  /** @param line of `valuesStatement` */
  add(line: string): void {
    const cells = line.split('\t', this.#withGroups);
    if (this.#source.hasPresence) {
      this.#presence.push(presenceOf(cells));
      if (cells[1] !== IN_RANGE) return;
    }
    const isAtWork = this.#source.judged.at(-1) === IS_GAUGE_AT_WORK && cells[this.#beforeGroups - 1] === '1';
    if (isAtWork) this.#periods.measured.add(this.#place.monthsOf(cells.slice(this.#beforeGroups)));
    if (this.#periods.groups.size > 0) this.#groups.add(cells.slice(this.#beforeGroups).join('\t'));
    this.#lines.push(line);
  }

  /** Whether it is open if a gauge works in the month of a dry group: reports outside the range, or without the condition, say so. */
  get needsGauges(): boolean {
    const { parts, condition } = this.#source;
    const { isOfDays, cutMonths, monthsOf } = this.#place;
    const wet = parts.indexOf(IS_WET);
    if (wet < 0 || !isOfDays || (condition === undefined && cutMonths.size === 0)) return false;
    return this.#lines.some((line) => {
      const cells = line.split('\t');
      const groups = cells.slice(this.#beforeGroups, this.#withGroups);
      const months = monthsOf(groups);
      const isOpen = condition !== undefined || cutMonths.has(months);
      const isKnown = cells[this.#withGroups + wet] !== '0' || this.#periods.measured.has(months);
      return isOpen && !isKnown && totalOf(this.#periodsOf(groups).amounts, false) === undefined;
    });
  }

  /** @param times of reports whose gauge works */
  addGauges(times: readonly number[]): void {
    for (const time of times) this.#place.addMonths(this.#periods.measured, time);
  }

  *finish(): Generator<CountedRow, undefined> {
    const { values, parts, question } = this.#source;
    const incomplete =
      question.days === 'complete' ? incompleteDays(this.#place, this.#presence) : new Set<number>();
    const columns = values.flatMap(({ parts: own = [], merge, print }, at) => {
      const places = own.map((part) => this.#withGroups + parts.indexOf(part));
      return merge ? [{ at, merge, places, print: question.isMeanYear ? undefined : print }] : [];
    });
    this.#addGroupsOfPeriods();
    for (const line of this.#lines) {
      const cells = line.split('\t', this.#withGroups + parts.length + 1);
      const groups = cells.slice(this.#beforeGroups, this.#withGroups);
      const periods = this.#periodsOf(groups);
      const computed: (Cell | undefined)[] = values.map(() => undefined);
      for (const { at, merge, places, print } of columns) {
        const own = places.map((place) => cells[place] as Cell);
        const cell = merge(own, periods, () => this.#periods.measured.has(this.#place.monthsOf(groups)));
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
    const { judged, question, groups, parts, values } = this.#source;
    const others = [...this.#periods.groups.keys()].filter((group) => !this.#groups.has(group));
    if (others.length === 0) return;
    const plain = values.flatMap(({ merge, type }) => (merge ? [] : [type === 'Int64' ? '0' : ABSENT]));
    const lines = others.map((group) =>
      [
        this.station,
        ...judged.map(() => ABSENT),
        ...(groups.length > 0 ? [group] : []),
        ...parts.map(() => ABSENT),
        '0',
        ...plain,
      ].join('\t'),
    );
    const compare = compareCells(question.groups);
    this.#lines = [...this.#lines, ...lines]
      .map((line) => ({ line, groups: line.split('\t', this.#withGroups).slice(this.#beforeGroups) }))
      .sort((one, other) => compare(one.groups, other.groups))
      .map(({ line }) => line);
  }

  #periodsOf(groups: readonly Cell[]): GroupPeriods {
    if (this.#periods.groups.size === 0) return NO_PERIODS;
    return this.#periods.groups.get(groups.join('\t')) ?? NO_PERIODS;
  }
}

/** As `presenceColumns` have it. */
const IN_RANGE = '1';
const NO_PERIODS: GroupPeriods = {};
