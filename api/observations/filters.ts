import { canonicalCondition } from '../../clickhouse/conditions/canonical-condition.ts';
import type { Condition } from '../../clickhouse/conditions/condition.ts';
import { ICAO_CODE, REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { FIELD_NAMES } from '../../clickhouse/observations/chosen-fields.ts';
import type { PageRequest } from '../../clickhouse/observations/page/page.ts';
import { hashFilters } from '../http/request/cursor-text.ts';
import type { ParameterSchema } from '../http/request/query-string.ts';

/** What a request selects: the part of the query that a cursor is bound to (D23). */
export type Filters = {
  /** Distinct codes in the order first requested. */
  readonly stations: readonly string[];
  /** Seconds since 1970-01-01T00:00:00Z, inclusive. */
  readonly from: number;
  /** Seconds since 1970-01-01T00:00:00Z, exclusive. */
  readonly to: number;
  readonly type: 'all' | 'metar' | 'speci';
  readonly include: readonly ('raw' | 'decoded')[];
  readonly filter?: Condition;
  readonly fields?: readonly string[];
};

type FilterName = keyof Filters;

/** One filter: how its text is checked and described, how it enters the key, and what it selects in the archive. */
type Filter<Value> = {
  readonly schema: ParameterSchema;
  /** The same for each way to write the same value. */
  readonly keyOf: (value: Value) => unknown;
  readonly select: (value: Value) => Partial<PageRequest>;
};

const FILTERS: { readonly [Name in FilterName]-?: Filter<NonNullable<Filters[Name]>> } = {
  stations: {
    schema: {
      purpose: 'Stations that are asked for',
      description: '1 to 1,000 uppercase ICAO codes separated by commas, as in KJFK,EGLL',
      type: 'array',
      maxItems: 1000,
      items: { type: 'string', pattern: ICAO_CODE.source },
    },
    keyOf: (stations) => stations.toSorted(),
    select: (stations) => ({ stations }),
  },
  // `parseTimeRange` turns the text of both into times.
  from: {
    schema: {
      purpose: 'First time that is included',
      description: 'an RFC 3339 timestamp in UTC, as in 2024-01-31T12:00:00Z',
      type: 'string',
    },
    keyOf: (from) => from,
    select: (from) => ({ from }),
  },
  to: {
    schema: {
      purpose: 'First time that is not included',
      description: 'an RFC 3339 timestamp in UTC, as in 2024-02-01T12:00:00Z',
      type: 'string',
    },
    keyOf: (to) => to,
    select: (to) => ({ to }),
  },
  type: {
    schema: {
      purpose: 'Kind of report',
      description: 'all, metar or speci',
      enum: ['all', 'metar', 'speci'],
      default: 'all',
    },
    keyOf: (type) => type,
    select: (type) => ({
      types: REPORT_TYPES.filter((name) => type === 'all' || type === name.toLowerCase()),
    }),
  },
  include: {
    schema: {
      purpose: 'What each record holds beside its keys',
      description: 'raw, decoded or both, separated by a comma',
      type: 'array',
      items: { enum: ['raw', 'decoded'] },
      default: ['raw'],
    },
    keyOf: (include) => include.toSorted(),
    select: (include) => ({ raw: include.includes('raw'), decoded: include.includes('decoded') }),
  },
  // `parseCondition` turns the text into a condition.
  filter: {
    schema: {
      purpose: 'Records for which a condition is not true are left out',
      description:
        'a condition in CQL2 Text on decoded and derived fields, type and raw, as in visib_m < 800 OR ceiling_ft < 200',
      type: 'string',
    },
    keyOf: canonicalCondition,
    select: (condition) => ({ condition }),
  },
  fields: {
    schema: {
      purpose: 'Fields that decoded holds, in this order',
      description:
        'names of decoded and derived fields separated by commas, as in temp_c,ceiling_ft; with include=decoded',
      type: 'array',
      items: { enum: FIELD_NAMES },
    },
    keyOf: (fields) => fields,
    select: (fields) => ({ fields }),
  },
};

export const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[];

/** How the text of each filter is checked. */
export const FILTER_SCHEMAS = Object.fromEntries(
  FILTER_NAMES.map((name) => [name, FILTERS[name].schema]),
) as Readonly<Record<FilterName, ParameterSchema>>;

/**
 * The filters of the first version of the cursor. The key has their values by position; it has any later filter by its
 * name, and only where a request has it, so that cursors stay valid when a filter is added.
 */
const POSITIONAL: readonly FilterName[] = ['stations', 'from', 'to', 'type', 'include'];

const keys = new WeakMap<Filters, Buffer>();

/** The same for each way to write the same filters. Page size and API key are not part of it (D23). */
export function filtersKey(filters: Filters): Buffer {
  const known = keys.get(filters);
  if (known !== undefined) return known;
  const keyOf = (name: FilterName) => FILTERS[name].keyOf(filters[name] as never);
  const later = FILTER_NAMES.filter((name) => !POSITIONAL.includes(name) && filters[name] !== undefined);
  const key = hashFilters([...POSITIONAL.map(keyOf), ...later.map((name) => [name, keyOf(name)])]);
  keys.set(filters, key);
  return key;
}

/** What the filters select in the archive. */
export function selectionOf(filters: Filters): Omit<PageRequest, 'limit' | 'after'> {
  const given = FILTER_NAMES.filter((name) => filters[name] !== undefined);
  return Object.assign({}, ...given.map((name) => FILTERS[name].select(filters[name] as never)));
}
