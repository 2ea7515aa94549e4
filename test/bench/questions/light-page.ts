import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_STATION_YEARS } from '../../../api/statistics/bounds.ts';
import type { Figure } from '../figures.ts';
import { formatMs } from '../markdown.ts';
import { peakMegabytes } from '../process-usage.ts';
import type { Api } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import { median } from '../statistics.ts';

const PAGES = 15;
const LARGE_QUESTIONS = 2;
const SELECT = 'mean(temp_c),p5(temp_c),p95(temp_c),p95(wspd_kt),low:share(visib_m < 5000)';
const YEARS = 21;

/** First pages of a station that no one has asked for, alone and beside two questions of the largest size. */
export async function measureLightPage(
  { layout, engine }: BenchArchive,
  api: Api,
): Promise<readonly Figure[]> {
  const stations = largestQuestion(layout);
  const light = api.authorization();
  let number = 0;
  const askPages = async () => {
    const times: number[] = [];
    for (let n = 0; n < PAGES; n += 1) {
      const station = layout.hourly[n % layout.hourly.length] ?? '';
      const from = new Date(Date.UTC(2010, 0, 1) + number++ * 5 * 3_600_000).toISOString();
      const path = `/v1/history/observations?stations=${station}&from=${from}&to=2026-01-01T00:00:00Z&limit=1000`;
      const started = performance.now();
      const response = await fetch(`${api.url}${path}`, { headers: { authorization: light } });
      const text = await response.text();
      if (response.status !== 200) throw new Error(text);
      times.push(performance.now() - started);
      await sleep(200);
    }
    return median(times);
  };

  await askPages();
  const alone = await askPages();
  let isStopped = false;
  const questions: number[] = [];
  const connection = async (_: unknown, n: number) => {
    const authorization = api.authorization();
    for (let shift = 0; !isStopped; shift += LARGE_QUESTIONS) {
      const to = new Date(Date.UTC(2026, 0, 1) - (shift + n) * 3_600_000).toISOString();
      const query = new URLSearchParams({
        stations: stations.join(),
        from: '2005-01-01T00:00:00Z',
        to,
        select: SELECT,
        by: 'month,hour',
      });
      const started = performance.now();
      const response = await fetch(`${api.url}/v1/history/statistics?${query}`, {
        headers: { authorization },
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(text);
      questions.push(performance.now() - started);
    }
  };
  const connections = Promise.all(Array.from({ length: LARGE_QUESTIONS }, connection));
  try {
    await sleep(1000);
    const beside = await askPages();
    isStopped = true;
    await connections;
    return [
      {
        what: `a page next to ${LARGE_QUESTIONS} questions of ${stations.length * YEARS} station-years`,
        measured: beside,
        unit: 'ms',
        atMost: 100,
        detail: `alone ${formatMs(alone)}; a question ${formatMs(median(questions))}; the engine at most ${await peakMegabytes(engine.pid)} MB`,
      },
    ];
  } finally {
    isStopped = true;
  }
}

/** As many stations of 21 years as one question may have. */
function largestQuestion({ copies }: BenchArchive['layout']): readonly string[] {
  const long = copies.filter(
    ({ firstDay, endDay, hours }) => firstDay === '2005-01-01' && endDay === '2026-01-01' && hours === 24,
  );
  return long.map(({ station }) => station).slice(0, Math.floor(MAX_STATION_YEARS / YEARS));
}
