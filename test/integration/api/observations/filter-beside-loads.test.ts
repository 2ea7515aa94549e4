import assert from 'node:assert/strict';
import type { Observation } from '../../../../api/client/client.d.ts';
import type { Condition } from '../../../../clickhouse/conditions/condition.ts';
import { parseCondition } from '../../../../clickhouse/conditions/parse-condition.ts';
import { decode } from '../../../../loader/decode.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { OBSERVATIONS, startApi, type TestApi, useApi } from '../../../support/api/api.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { judge } from '../../../support/conditions/judge.ts';
import { RandomConditions } from '../../../support/conditions/random-conditions.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { seededRandom } from '../../../support/random.ts';
import { repetitions, seeds } from '../../../support/repetitions.ts';
import type { IemReport } from '../../../support/sources/iem-reports.ts';
import { type IemReplay, replayIem } from '../../../support/sources/replay-iem.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2024-01-01T00:00:00Z');
const DAYS_BEFORE = 4;
const DAYS_BESIDE = repetitions({ usual: 3, long: 60 });
/** A page that was read before a write may be given out for so long. */
const STALE_MS = 1500;

const isoDay = (day: number) => new Date(START + day * DAY_MS).toISOString().slice(0, 10);

/** What a source sends of two stations, a report every hour; one in ten does not parse cleanly. */
function rowsOf(stations: readonly string[], random: () => number): readonly IemReport[] {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] as string;
  const degrees = (value: number) => `${value < 0 ? 'M' : ''}${String(Math.abs(value)).padStart(2, '0')}`;
  const hours = (DAYS_BEFORE + DAYS_BESIDE) * 24;
  return stations.flatMap((id) =>
    Array.from({ length: hours }, (_, hour) => {
      const at = new Date(START + hour * 3_600_000 + 51 * 60_000).toISOString();
      const temperature = Math.floor(random() * 50) - 20;
      const dewPoint = temperature - Math.floor(random() * 9);
      const groups = [
        pick(['00000KT', '18004KT', 'VRB02KT', '27015G25KT', '/////KT', '36020KT']),
        pick(['10SM CLR', '9999 FEW020', '3SM -RA BR BKN008', '0300 FG VV002', 'CAVOK', '9999 ///015']),
        `${degrees(temperature)}/${degrees(dewPoint)}`,
        pick(['A3002', 'Q1013', 'A2992', 'Q0998']),
        pick(['', 'NOSIG', 'RMK AO2 SLP134', '', '', '', '', '', '', 'XYZZY']),
      ];
      const time = `${at.slice(8, 10)}${at.slice(11, 13)}${at.slice(14, 16)}Z`;
      return {
        id,
        valid: at.slice(0, 16).replace('T', ' '),
        metar: [id, time, ...groups].join(' ').trim(),
      };
    }),
  );
}

/** What the archive must say of a row, without the archive: the condition judged over the text of the source. */
function meets(condition: Condition | undefined, { metar }: IemReport): boolean {
  if (condition === undefined) return true;
  const { fields, unexplained } = decode(metar);
  const clean = unexplained.length === 0;
  return judge(condition, { type: 'METAR', source: 'iem', raw: metar, clean, decoded: fields }) === true;
}

describe('filters beside a load', () => {
  const archive = useArchive();
  const api = useApi(() => startApi(archive.client));

  for (const seed of seeds(5))
    describe(`seed ${seed}`, () => {
      const stations = [`ZA${seed}A`, `ZA${seed}B`];
      const random = seededRandom(seed);
      const rows = rowsOf(stations, random);
      const byKey = new Map(rows.map((row) => [`${row.id} ${row.valid.replace(' ', 'T')}:00Z`, row]));
      const keyOf = ({ station, observedAt }: Observation) => `${station} ${observedAt}`;
      let replay: IemReplay;
      before(async () => {
        replay = await replayIem(rows);
      });
      after(() => replay?.close());

      const load = (from: number, to: number) =>
        loadWith(
          archive.client,
          iem(replay.url),
          `--source iem --stations ${stations} --from ${isoDay(from)} --to ${isoDay(to)}`,
        );

      it('give what is true, all that was loaded before, in order and never more than the limit', async function () {
        this.timeout(600_000);
        await load(0, DAYS_BEFORE);
        /** When a day was loaded. */
        const loaded = Array.from({ length: DAYS_BEFORE }, () => 0);
        let isLoading = true;
        const loadBeside = async () => {
          try {
            for (let day = DAYS_BEFORE; day < DAYS_BEFORE + DAYS_BESIDE; day += 1) {
              assert.equal((await load(day, day + 1)).daysLeft, 0);
              loaded.push(performance.now());
            }
          } finally {
            isLoading = false;
          }
        };
        const counts = { walks: 0, found: 0, beside: 0 };
        const conditions = new RandomConditions(random);
        const check = async () => {
          const started = performance.now();
          // A load may correct the type of a report.
          let filter = random() < 0.3 ? '' : conditions.next(2);
          while (filter.includes('type')) filter = conditions.next(2);
          const condition = filter === '' ? undefined : parseCondition(filter);
          const limit = 1 + Math.floor(random() ** 3 * 2000);
          const wasLoading = isLoading;
          const read = counts.walks % 3 === 0 ? readStream : walk;
          const { records, isWhole } = await read(api, stations, filter, limit);
          const keys = records.map(keyOf);
          assert.equal(new Set(keys).size, keys.length, `twice: ${filter}`);
          assert.deepEqual(keys, inOrder(keys), `order: ${filter}`);
          for (const key of keys)
            assert.ok(meets(condition, byKey.get(key) as IemReport), `${filter}: ${key}`);
          const days = loaded.filter((at) => at < started - STALE_MS).length;
          const end = new Date(START + days * DAY_MS).toISOString();
          const last = isWhole ? end : (records.at(-1)?.observedAt ?? '');
          const due = [...byKey].filter(([key, row]) => {
            const at = key.slice(5);
            return at < end && at < last && meets(condition, row);
          });
          const given = new Set(keys);
          for (const [key] of due) assert.ok(given.has(key), `lacks ${key}: ${filter}`);
          counts.walks += 1;
          counts.found += keys.length;
          if (wasLoading) counts.beside += 1;
        };
        const readBeside = async () => {
          while (isLoading) await check();
        };
        // A load whose source has been closed would try again for hours.
        for (const end of await Promise.allSettled([loadBeside(), readBeside(), readBeside()]))
          if (end.status === 'rejected') throw end.reason;
        for (let n = 0; n < 3; n += 1) await check();
        assert.ok(counts.beside >= 2 && counts.found > 100, JSON.stringify(counts));
      });
    });
});

type Read = { readonly records: readonly Observation[]; readonly isWhole: boolean };

const parametersOf = (stations: readonly string[], filter: string, limit: number) => ({
  stations: stations.join(),
  from: '2024-01-01T00:00:00Z',
  to: '2025-01-01T00:00:00Z',
  ...(filter !== '' && { filter }),
  limit: String(limit),
});

async function walk(api: TestApi, stations: readonly string[], filter: string, limit: number): Promise<Read> {
  // Small pages cost a request each.
  const query = new URLSearchParams(parametersOf(stations, filter, Math.max(limit, 50)));
  return { records: await api.walk<Observation>(`${OBSERVATIONS}?${query}`), isWhole: true };
}

async function readStream(
  api: TestApi,
  stations: readonly string[],
  filter: string,
  limit: number,
): Promise<Read> {
  const query = new URLSearchParams(parametersOf(stations, filter, limit));
  const response = await api.get(`${OBSERVATIONS}.ndjson?${query}`);
  assert.equal(response.status, 200, filter);
  const lines = (await response.text()).split('\n').slice(0, -1);
  assert.ok(lines.length <= limit, `${lines.length} of at most ${limit}: ${filter}`);
  const isWhole = response.headers.get('x-has-more') === 'false';
  return { records: lines.map((line) => JSON.parse(line)), isWhole };
}

/** By time, then station: each is a METAR. */
const inOrder = (keys: readonly string[]): readonly string[] =>
  [...keys].sort((one, other) => {
    const [a, b] = [one, other].map((key) => key.slice(5) + key.slice(0, 4)) as [string, string];
    return a < b ? -1 : a > b ? 1 : 0;
  });
