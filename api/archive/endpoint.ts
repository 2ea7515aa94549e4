import { count, MINUTE, objectSchema, STATION, schemaRef, text } from '../contract/answers.ts';
import { type Endpoint, MEDIA_TYPES } from '../contract/endpoint.ts';

export const ARCHIVE: Endpoint = {
  name: 'archive',
  mediaTypes: { json: MEDIA_TYPES.json },
  operationId: 'getArchive',
  summary: 'The archive in numbers',
  description:
    'How many stations and reports the archive holds. Needs no key, is not counted, and is up to a minute old.',
  answer: 'The numbers',
  contents: { json: { schema: 'ArchiveSummary', headers: [] } },
  schemas: {
    ArchiveSummary: objectSchema({
      data: objectSchema({
        stations: count('Stations with reports.'),
        reports: count('Can be a few percent too high while a load replaces reports.'),
        'firstYear?': { type: 'integer', minimum: 2005 },
        'lastYear?': { type: 'integer', minimum: 2005 },
        'newestReport?': MINUTE,
        'example?': {
          description:
            'Stations that still report and a month of their reports: something that requests can ask for.',
          ...objectSchema({
            stations: { type: 'array', items: STATION, maxItems: 2 },
            month: { type: 'string', pattern: '^\\d{4}-\\d\\d$' },
          }),
        },
        'sources?': schemaRef('Sources'),
        'aerodromes?': text(
          'Where positions and runways are from that no source of reports states, and their license.',
        ),
      }),
    }),
  },
};

export const ARCHIVE_STATIONS: Endpoint = {
  name: 'archive/stations',
  mediaTypes: { json: MEDIA_TYPES.json },
  operationId: 'getArchiveStations',
  summary: 'The stations of the archive',
  description:
    'Every station that the archive knows, in the order of the codes, with its position and newest report: what a map needs. Needs no key, is not counted, and is up to a minute old.',
  answer: 'The stations',
  contents: { json: { schema: 'ArchiveStations', headers: ['ETag'] } },
  schemas: {
    ArchiveStations: objectSchema({ data: { type: 'array', items: schemaRef('Station') } }),
  },
};
