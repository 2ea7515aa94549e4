import { count, objectSchema, text } from '../contract/answers.ts';

export const FILE_PATHS = ['/v1/history/files', '/v1/history/files/', '/v1/history/files/*path'];

const FILE = objectSchema({
  path: text('Below `/v1/history/files/`.'),
  bytes: count(),
  rows: count(),
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  'year?': { type: 'integer', description: 'Year of the reports or days, which are sorted by station.' },
  'firstStation?': { type: 'string' },
  'lastStation?': { type: 'string' },
});

export const FILES = objectSchema({
  data: { type: 'array', items: FILE },
  meta: objectSchema({
    createdAt: { type: 'string', format: 'date-time' },
    from: { type: 'string', format: 'date', description: 'The first day.' },
    to: { type: 'string', format: 'date', description: 'The day after the last one.' },
    stations: { description: 'Codes, or `all`.' },
    reports: count(),
    attribution: { type: 'string' },
  }),
});
