import { hash } from 'node:crypto';
import { canonicalCondition } from '../../clickhouse/conditions/condition.ts';
import type { Clock, Question } from '../../clickhouse/statistics/question.ts';

/** The same for questions with the same rows. The order of stations does not matter: rows are in code order. */
export function questionKey(question: Question, clocks: readonly Clock[]): string {
  const { stations, from, to, types, condition, statistics, groups, sample, isMeanYear } = question;
  const meaning = [
    'statistics',
    stations.toSorted(),
    from,
    to,
    types,
    condition && canonicalCondition(condition),
    statistics.map((statistic) =>
      statistic.kind === 'condition'
        ? { ...statistic, condition: canonicalCondition(statistic.condition) }
        : statistic,
    ),
    groups,
    sample,
    isMeanYear,
    clocks.map(({ offsets, stations: codes }) => [offsets, codes.toSorted()]),
  ];
  return hash('sha256', JSON.stringify(meaning), 'base64url');
}
