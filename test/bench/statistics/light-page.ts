import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_STATION_YEARS } from '../../../api/statistics/bounds.ts';
import { peakMegabytes } from '../../support/process-usage.ts';
import { type Api, requestPage } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import { fresh, yearsOf } from '../read/queries.ts';
import { type Figure, formatMs, Times } from '../results.ts';

const PAGES = 15;
const QUESTIONS_AT_ONCE = 2;
const YEARS = 21;
const SELECT = 'mean(temp_c),p5(temp_c),p95(temp_c),p95(wspd_kt),low:share(visib_m < 5000)';

/** First pages of a range that no one has asked for, alone and next to two questions of the largest size. */
export async function measureLightPage(
  { layout, engine }: BenchArchive,
  api: Api,
): Promise<readonly Figure[]> {
  const stations = layout.long.slice(0, Math.floor(MAX_STATION_YEARS / YEARS));
  const times = new Times();
  const askPages = async (what: string) => {
    for (let n = 0; n < PAGES; n += 1) {
      const query = fresh(yearsOf(layout.hourly[n % layout.hourly.length] ?? ''));
      await times.measure(what, n, () => requestPage(api, query));
      await sleep(200);
    }
  };
  await askPages('warm up');
  await askPages('alone');
  let isStopped = false;
  const askQuestions = async (_: unknown, n: number) => {
    for (let hours = n; !isStopped; hours += QUESTIONS_AT_ONCE) {
      const to = new Date(Date.UTC(2026, 0, 1) - hours * 3_600_000).toISOString();
      const query = new URLSearchParams({
        stations: stations.join(),
        from: '2005-01-01T00:00:00Z',
        to,
        select: SELECT,
        by: 'month,hour',
      });
      await times.measure('question', n, () => api.get(`/v1/history/statistics?${query}`));
    }
  };
  const questions = Promise.all(Array.from({ length: QUESTIONS_AT_ONCE }, askQuestions));
  await sleep(1000);
  await askPages('next to questions').finally(() => (isStopped = true));
  await questions;
  return [
    {
      what: `a page next to ${QUESTIONS_AT_ONCE} questions of ${stations.length * YEARS} station-years`,
      measured: times.median('next to questions'),
      unit: 'ms',
      atMost: 100,
      detail: `alone ${formatMs(times.median('alone'))}; a question ${formatMs(times.median('question'))}; the engine at most ${await peakMegabytes(engine.pid)} MB`,
    },
  ];
}
