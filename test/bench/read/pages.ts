import { seededRandom } from '../../support/random.ts';
import { type Figure, formatMs, type Section, Times } from '../results.ts';
import { type Api, requestPage } from './api.ts';
import { comparedWith, type Other } from './other.ts';
import { fresh, type Query } from './queries.ts';

const WARM_UP_ROUNDS = 3;

/**
 * The first request for a page, the same again, and with its entity tag. Each round has another order, because what a
 * response leaves to be done, such as freeing a large page, delays the next.
 */
export async function measurePages(
  api: Api,
  other: Other | undefined,
  queries: readonly Query[],
  rounds: number,
): Promise<Section> {
  const times = new Times();
  const bytes = new Map<string, number>();
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    for (const query of shuffled(queries, round)) {
      const page = fresh(query);
      const ask = (name: string, from: Pick<Api, 'page'>, etag?: string) =>
        times.measure(`${name} ${query.name}`, round, () => requestPage(from, page, etag));
      const first = await ask('first', api);
      bytes.set(query.name, first.body.length);
      await ask('again', api);
      await ask('304', api, String(first.headers.etag));
      if (other !== undefined) await ask('other first', other.api);
    }
    process.stderr.write('.');
  }
  const figures = queries.map(({ name }): Figure => {
    const [again, known] = [times.median(`again ${name}`), times.median(`304 ${name}`)];
    const size = ((bytes.get(name) ?? 0) / 1024).toFixed(0);
    return {
      what: name,
      measured: times.median(`first ${name}`),
      unit: 'ms',
      detail: `again ${formatMs(again)}, 304 ${formatMs(known)}; ${size} kB${comparedWith(other, times, `first ${name}`)}`,
    };
  });
  return {
    title: 'Pages over HTTP',
    about:
      'Medians. The api, the engine and the client share the cores. `measured`: a page of a range that nothing asked for ' +
      'before; `again`: from memory. Pages have 1,000 records and `raw` unless the name says otherwise.',
    figures: [...targets(times), ...figures],
  };
}

function shuffled(queries: readonly Query[], round: number): readonly Query[] {
  const random = seededRandom(round + WARM_UP_ROUNDS);
  const placed = queries.map((query) => ({ query, at: random() }));
  return placed.sort((a, b) => a.at - b.at).map(({ query }) => query);
}

function targets(times: Times): readonly Figure[] {
  const one = '1 station, 21 years, first page';
  const ratio = (what: string, name: string, atMost: number, to = `first ${one}`): Figure => ({
    what,
    measured: times.median(name) / times.median(to),
    unit: '×',
    atMost,
  });
  return [
    ratio('the same page again, compared with the first request', `again ${one}`, 0.15),
    ratio('304 for a page in memory, compared with the first request', `304 ${one}`, 0.1),
    ratio('21 years compared with 1 month', `first ${one}`, 1.3, 'first 1 station, 1 month'),
    ratio('a page in the middle compared with the first', 'first 1 station, 21 years, middle page', 1.3),
    ratio('1,000 stations compared with 1', 'first 1,000 stations, 21 years', 4),
    ratio(
      'a station with 10 reports a year compared with an hourly one',
      'first 10 reports a year, 21 years',
      3,
    ),
    ratio('an unknown station compared with an hourly one', 'first unknown station, 21 years', 3),
    ratio('a page with gzip, compared with none', 'first 1 station, 21 years, gzip', 1.15),
  ];
}
