import type { Decoded, Observation, StatisticsRow as Row } from '../../client/client.d.ts';

export type { Decoded, Observation, Row };

type Texts<Names extends string> = Readonly<Record<Names, string>>;
type Numbers<Names extends string> = Readonly<Record<Names, number>>;
type OptionalNumbers<Names extends string> = Readonly<Record<Names, number | undefined>>;

/** A request of the page. No value has `answer`: it carries the type of the answer's `data`. */
export type Ask<T = unknown> = {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string | number | undefined>>;
  readonly answer?: T;
};

/** `data` is that of the last answer until the new one arrives. */
export type Answer<T = unknown> = {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly waitSeconds: number | undefined;
  readonly again: () => void;
};

export type Span = 'day' | 'week' | 'month' | 'year' | 'all';

/** A compared station or year. `style` is the class of its line, `years` the offset of its year from the shown one. */
export type Entry = Texts<'style' | 'station' | 'label'> & { readonly years: number };

export type Coordinates = Numbers<'latitude' | 'longitude'>;

/** One direction of a runway. */
export type Runway = Texts<'ident'> & Numbers<'heading_deg' | 'length_m'>;

/** `distance` is in kilometers from the position that was searched for. */
export type Station = Texts<'station'> &
  Partial<Texts<'name' | 'country' | 'timezone' | 'firstReport' | 'lastReport'>> &
  Partial<Numbers<'latitude' | 'longitude' | 'elevation_m' | 'distance'>> & {
    readonly runways?: readonly Runway[] | undefined;
  };

/** Days; `to` is not included. */
export type Period = Texts<'station' | 'from' | 'to'> &
  Pick<Station, 'runways'> & { readonly timezone?: string | undefined };

export type ArchiveNumbers = Numbers<'stations' | 'reports'> &
  Partial<Numbers<'firstYear' | 'lastYear'> & Texts<'newestReport'>> & {
    readonly sources?: readonly (Texts<'source'> & Partial<Texts<'citation'>>)[];
  };

type CoverageYear = { readonly year: number; readonly sources?: readonly string[] } & Partial<
  Numbers<'daysDue' | 'daysDone' | 'reports'> & Texts<'firstReport' | 'lastReport'>
>;

export type Coverage = {
  readonly years: readonly CoverageYear[];
  readonly gaps: readonly Texts<'from' | 'to'>[];
  readonly notDue: readonly Texts<'from' | 'to'>[];
  /** Days that are done and have no report. */
  readonly silent: readonly Texts<'from' | 'to'>[];
  readonly periodOfRecord?: Texts<'firstDay'>;
};

/** The values of a day or month. `n` of its `expected` hours have a report. */
export type Day = Texts<'date'> &
  Numbers<'n' | 'expected'> &
  OptionalNumbers<'temperature' | 'low' | 'high' | 'wind' | 'gust' | 'precipitation'> &
  Partial<OptionalNumbers<'ceiling' | 'fog' | 'thunder'>>;

/** The value by which the days of a year are colored. */
export type ColorName = 'temperature' | 'wind' | 'gust' | 'ceiling' | 'fog' | 'thunder' | 'precipitation';

/** How values are colors: the class of the colors, the ends in words, and the part of the color of a value, below 0 on the other side of `isBoth`. */
export type ColorScale = {
  readonly style: string;
  readonly texts: readonly [string, string];
  readonly isBoth: boolean;
  readonly shareOf: (value: number | undefined) => number | undefined;
};

/** The value of `n` hours of the day in a month, also in words. */
export type Cell = Numbers<'month' | 'hour' | 'n'> & Texts<'text'> & { readonly value: number | undefined };

/** Bars of months: their lane, class and values, what is over a bar, and what the cursor reads. */
export type Bars = Texts<'name' | 'style'> & {
  readonly most?: number;
  readonly value: (row: Row) => number | undefined;
  readonly format: (value: number) => string;
  readonly read: (value: number | undefined) => string;
};

/** The values of an entry that a chart draws, from an answer. */
export type Shown<P> = {
  readonly entry: Entry;
  readonly answer: Answer | undefined;
  readonly points: readonly P[];
};

/** An entry with the period of its whole record, if it has reports. */
export type EntryRecord = Pick<Shown<unknown>, 'entry' | 'answer'> & { readonly period: Period | undefined };

/** The days of an entry's whole record. */
export type Daily = Shown<Day> & EntryRecord & { readonly ask: Ask<readonly Row[]> | undefined };

/** A day of the shown year, with what it is compared with. */
export type YearDay = Point<'mean'> & { readonly day: Day | undefined; readonly normal: MeanDay | undefined };

export type { Address } from './model/address.ts';
export type { Values } from './model/report-values.ts';

export type MeanDay = Numbers<'low' | 'high' | 'mean' | 'recordLow' | 'recordHigh'> &
  Texts<'recordLowYear' | 'recordHighYear'>;

export type Scale = (value: number) => number;
export type ValueScale = Scale & { ticks(count: number): number[]; invert(at: number): number };

/** A part of a chart with its own vertical axis. `y` maps to the distance from the top. */
export type Lane = {
  readonly height: number;
  readonly name?: string;
  readonly unit: string;
  readonly y?: ValueScale;
  readonly ticks?: readonly number[];
  readonly format?: (value: number) => string;
  readonly draw: (x: Scale, y: Scale, right: number) => unknown;
};

export type Axes = { readonly x: Scale; readonly y: Scale };

/** A point of a line. A value that is absent interrupts the line. */
export type Point<Name extends string = never> = { readonly time: number } & {
  readonly [name in Name]?: number | undefined;
};
