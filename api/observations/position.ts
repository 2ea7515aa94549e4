import { ICAO_CODE, type Position, REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { ARCHIVE_TIMES } from '../../clickhouse/model/time-window.ts';
import { positionCheck } from '../parameters/cursor.ts';

/** The position of an observations cursor: the last record of the previous page. */
export const POSITION = positionCheck<Position>(
  {
    observedAt: { type: 'integer', minimum: ARCHIVE_TIMES.from, maximum: ARCHIVE_TIMES.to, multipleOf: 60 },
    station: { type: 'string', pattern: ICAO_CODE.source },
    type: { enum: REPORT_TYPES },
    fingerprint: { type: 'string', pattern: '^[0-9a-f]{8}$' },
  },
  ['observedAt', 'station', 'type', 'fingerprint'],
);
