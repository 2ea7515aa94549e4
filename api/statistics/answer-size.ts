import { FIELDS_FOR_CONDITIONS } from '../../clickhouse/conditions/condition-fields.ts';
import type { Group, Question } from '../../clickhouse/statistics/question.ts';
import { MAX_ROWS } from '../../clickhouse/statistics/statistics-statement.ts';
import { countCalendarGroups } from './bounds.ts';

/** A value with its name, as JSON. */
const VALUE_BYTES = 40;
/** The keys of a row and its counts. */
const ROW_BYTES = 120;

/** The most memory that an answer takes, as far as known before the query. */
export function estimateBytes(question: Question): number {
  const { groups, stations, statistics } = question;
  const ofStation = groups.reduce((product, group) => product * sizeOf(group), countCalendarGroups(question));
  const rows = Math.min(MAX_ROWS, stations.length * ofStation);
  return rows * (ROW_BYTES + statistics.length * VALUE_BYTES);
}

/** How many values a group can have; calendar groups are counted together. */
function sizeOf(group: Group): number {
  switch (group.kind) {
    case 'calendar':
      return 1;
    case 'sector':
      return group.sectors + 3;
    case 'class':
      return group.bounds.length + 2;
    case 'choice': {
      const values = FIELDS_FOR_CONDITIONS.get(group.field)?.values;
      return values?.kind === 'choice' ? values.choices.length + 1 : 1;
    }
  }
}
