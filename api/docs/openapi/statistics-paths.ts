import { FORMATS, type Format, MEDIA_TYPES } from '../../observations/formats/formats.ts';
import { PRESETS } from '../../parameters/presets.ts';
import { TITLES } from './format-paths.ts';
import { type JsonObject, schemaRef } from './json-schema.ts';
import { queryParameters } from './parameters.ts';
import { headerRefs, NOT_MODIFIED, OTHER_PROBLEM, problemResponse, problemResponses } from './responses.ts';

const PATH = '/v1/history/statistics';

const SCHEMAS = {
  json: schemaRef('StatisticsAnswer'),
  ndjson: { type: 'string', description: 'One line for each row: the element of `data`.' },
  csv: {
    type: 'string',
    description: 'A header row, then the rows, with a column for each group and value.',
  },
  parquet: {
    type: 'string',
    format: 'binary',
    description: 'A file with a column for each group and value.',
  },
  arrow: { type: 'string', format: 'binary', description: 'An Arrow IPC stream with the same columns.' },
} as const satisfies Readonly<Record<Format, JsonObject>>;

/** What each preset stands for, as the service has it. */
const PRESETS_TEXT = Object.entries(PRESETS)
  .map(
    ([name, { title, select, by, sample }]) =>
      `- \`${name}\`: ${title}. \`by=${by}\`, \`sample=${sample}\`, \`select=${select}\``,
  )
  .join('\n');

const DESCRIPTION = `Numbers about reports, by station and groups, in the order of both. Each row has \`n\`, the reports that count, and \`expected\`, the hours that could have one. Guide: [statistics](/docs/statistics).\n\nPresets:\n\n${PRESETS_TEXT}`;

/** The path whose format \`Accept\` chooses, and a path for each format. */
export const STATISTICS_PATHS: JsonObject = {
  [PATH]: { get: inAnyFormat() },
  ...Object.fromEntries(FORMATS.map((format) => [`${PATH}.${format}`, { get: inFormat(format) }])),
};

function inAnyFormat(): JsonObject {
  return {
    operationId: 'getStatistics',
    tags: ['history'],
    summary: 'Statistics of reports',
    description: DESCRIPTION,
    parameters: queryParameters('statistics', 'page'),
    responses: {
      200: {
        description:
          'The rows. Only JSON has an `ETag`; the other formats have the headers of their own paths.',
        headers: headerRefs('Link'),
        content: Object.fromEntries(
          FORMATS.map((format) => [MEDIA_TYPES[format], { schema: SCHEMAS[format] }]),
        ),
      },
      304: NOT_MODIFIED,
      ...problemResponses(),
      400: problemResponse(['invalid_parameter']),
      '4XX': OTHER_PROBLEM,
    },
  };
}

/** Its problems are those of the path without the extension. */
function inFormat(format: Format): JsonObject {
  return {
    operationId: `getStatisticsAs${TITLES[format]}`,
    tags: ['history'],
    summary: `Statistics of reports as ${TITLES[format]}`,
    description: `The same in this format, whatever \`Accept\` says.`,
    parameters: queryParameters('statistics', 'page'),
    responses: {
      200: {
        description: 'The rows',
        headers: headerRefs(...(format === 'json' ? ['ETag'] : ['X-Coverage-Status', 'Link'])),
        content: { [MEDIA_TYPES[format]]: { schema: SCHEMAS[format] } },
      },
      '4XX': OTHER_PROBLEM,
      '5XX': OTHER_PROBLEM,
    },
  };
}
