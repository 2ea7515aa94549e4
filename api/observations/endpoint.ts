import { SECONDS_PER_HOUR } from '../../clickhouse/model/day.ts';
import { type Position, REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { ARCHIVE_TIMES } from '../../clickhouse/model/time-window.ts';
import type { Selection } from '../../clickhouse/observations/selection.ts';
import type { InvalidValue } from '../../clickhouse/validation.ts';
import { formatTime } from '../answers/envelope.ts';
import { count, MINUTE, objectSchema, pageSchema, STATION, schemaRef, text } from '../contract/answers.ts';
import {
  MEDIA_TYPES,
  PAGE_HEADERS,
  positionCheck,
  type QueryEndpoint,
  STREAM_HEADERS,
  tableContents,
} from '../contract/endpoint.ts';
import { PARAMETERS, STATIONS_OR_AREA, timesOrDays } from '../contract/parameters.ts';
import type { Query } from '../contract/query.ts';
import { typesOf, type Values } from '../contract/values.ts';

export const OBSERVATION = {
  description: 'One METAR or SPECI of a station.',
  ...objectSchema({
    id: text('Opaque, and the same on every machine and after every reload.'),
    station: STATION,
    observedAt: { ...MINUTE, description: 'Observation time, a whole minute in UTC.' },
    type: { type: 'string', enum: REPORT_TYPES },
    parseStatus: {
      type: 'string',
      enum: ['parsed', 'failed', 'raw_only'],
      description:
        '`parsed`: `decoded` is present. `failed`: the decoder could not explain the whole body. `raw_only`: `decoded` was not requested, or the decoder has not read this report.',
    },
    'hidden?': text(
      'Why the operator keeps the report out of hourly series, statistics and days; absent from all others.',
    ),
    'raw?': text('The report as the source sent it, on one line; present when `include` has `raw`.'),
    'decoded?': schemaRef('Decoded'),
  }),
};

const TIMES = timesOrDays('UTC');
const TIME_NAMES = ['from', 'to'] as const;
const OR_HOURS = '; or leave both out and write hours';

/** With `hours`, also the end of the range, which the first page fixes for the whole walk. */
type ObservationsPosition = Position & { readonly to?: number };

const [, MOST_HOURS] = PARAMETERS.hours.schema.wholeNumber;

/** The range of the last hours, to the end of the present minute. */
function lastHours(hours: number) {
  const end = Math.floor(Date.now() / 60_000) * 60 + 60;
  const [from, to] = [end - Math.min(hours || 1, MOST_HOURS) * SECONDS_PER_HOUR, end].map((time) =>
    formatTime(time),
  );
  return { from, to } as const;
}

function checkTimes(texts: ReadonlyMap<string, string>): readonly InvalidValue[] {
  const missing = TIME_NAMES.filter((name) => !texts.has(name));
  if (!texts.has('hours'))
    return missing.map((name) => ({ name, detail: `is required: ${TIMES[name]}${OR_HOURS}` }));
  const detail = 'stands in place of from and to: send it or them, not both';
  return missing.length < TIME_NAMES.length ? [{ name: 'hours', detail }] : [];
}

/** Sets the range of a query with `hours`, which ends where that of the first page ended. Other queries stay as they are. */
export function withLastHours(query: Query<ObservationsPosition>): Query<ObservationsPosition> {
  const { values, after, filtersKey } = query;
  if (values.hours === undefined) return query;
  const to = after?.to ?? values.to;
  const range = { from: to - values.hours * SECONDS_PER_HOUR, to };
  return { ...query, values: { ...values, ...range }, dataKey: `${filtersKey} ${to}` };
}

export function cursorPosition(position: Position, { hours, to }: Values): ObservationsPosition {
  return hours === undefined ? position : { ...position, to };
}

export const OBSERVATIONS: QueryEndpoint<ObservationsPosition> = {
  name: 'observations',
  mediaTypes: MEDIA_TYPES,
  takesAreas: true,
  takesDates: true,
  keys: ['id', 'station', 'observedAt', 'type'],
  expand: ({ hours, from, to }) => (hours === undefined || from || to ? {} : lastHours(Number(hours))),
  check: checkTimes,
  parameters: {
    ...STATIONS_OR_AREA,
    from: { description: TIMES.from + OR_HOURS },
    to: { description: TIMES.to + OR_HOURS },
    hours: {},
    type: {},
    include: {},
    filter: {},
    fields: {},
    order: {},
    limit: {},
    cursor: {},
  },
  checkPosition: positionCheck<ObservationsPosition>({
    observedAt: { type: 'integer', minimum: ARCHIVE_TIMES.from, maximum: ARCHIVE_TIMES.to, multipleOf: 60 },
    station: STATION,
    type: { enum: REPORT_TYPES },
    fingerprint: { type: 'string', pattern: '^[0-9a-f]{8}$' },
    'to?': { ...count(), multipleOf: 60 },
  }),
  operationId: 'listObservations',
  summary: 'List archived observations',
  description:
    'Reports in the order of `observedAt`, `station` and `type`, or with `order=desc` in reverse order. `Accept` chooses the format of the answer; JSON is the default, and the bounds of `limit` are those of JSON. Guides: [first request](/docs/first-request), [walking](/docs/walking), [asking](/docs/asking), [coverage](/docs/coverage), [formats](/docs/formats).',
  answer: 'A page of records',
  contents: tableContents(
    { schema: 'ObservationsPage', headers: PAGE_HEADERS },
    ['record', 'field'],
    STREAM_HEADERS,
  ),
  schemas: {
    ObservationsPage: pageSchema('Observation', {
      coverage: schemaRef('Coverage'),
      sources: schemaRef('Sources'),
    }),
    Observation: OBSERVATION,
  },
};

export function selectionOf(values: Values): Selection {
  const { stations, from, to, include, fields, order, condition } = values;
  return {
    stations,
    from,
    to,
    types: typesOf(values.type),
    raw: include.includes('raw'),
    decoded: include.includes('decoded'),
    ...(fields && { fields }),
    ...(condition && { condition }),
    ...(order === 'desc' && { isDescending: true }),
  };
}
