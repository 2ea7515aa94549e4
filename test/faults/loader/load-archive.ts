import { setTimeout as sleep } from 'node:timers/promises';
import { hourly, type IemReport } from '../../support/sources/iem-reports.ts';
import { IEM_FAULTS } from '../../support/sources/replay-faults.ts';
import { replayIem } from '../../support/sources/replay-iem.ts';
import { OBSERVATIONS, send } from '../clients/client.ts';
import { falseClaims } from '../power/claims.ts';
import type { Service } from '../service.ts';

/** 120 days of 42 stations, one slice each. */
const STATIONS = Array.from({ length: 42 }, (_, at) => `ZX${String(at).padStart(2, '0')}`);
const [FIRST_DAY, END_DAY, DAYS] = ['2023-01-01', '2023-05-01', 120] as const;

/** A source on this machine, and the arguments that load it. */
export type LoadSource = {
  readonly url: string;
  /** @param interval seconds between two requests */
  args(interval: number): string;
  /** Requests for reports until now. */
  requests(): number;
  /** `station time` of every report. */
  readonly expected: ReadonlySet<string>;
  /** Makes the next responses faulty, each in another way, with a whole one after every three. */
  addFaults(): void;
  close(): Promise<void>;
};

/** A fault that only the number of reports shows would need earlier loads to compare with. */
const SOURCE_FAULTS = IEM_FAULTS.filter((fault) => fault !== 'thinned');

export async function startSource(stationCount = STATIONS.length): Promise<LoadSource> {
  const stations = STATIONS.slice(0, stationCount);
  const reports: readonly IemReport[] = stations.flatMap((station) => hourly(station, FIRST_DAY, DAYS));
  const replay = await replayIem(reports);
  return {
    url: replay.url,
    args: (interval) =>
      `--source iem --stations ${stations.join(',')} --from ${FIRST_DAY} --to ${END_DAY} --interval ${interval}`,
    requests: () => replay.requests.length,
    expected: new Set(reports.map(({ id, valid }) => `${id} ${valid.replace(' ', 'T')}:00Z`)),
    addFaults: () =>
      replay.addFaults(SOURCE_FAULTS.flatMap((fault, at) => (at % 3 === 2 ? [fault, 'none'] : [fault]))),
    close: replay.close,
  };
}

export type Walk = {
  /** `station time` of every record, in the order of the pages. */
  readonly records: readonly string[];
  readonly pages: number;
  /** Messages about pages that are not the next page of an ordered walk. */
  readonly faults: readonly string[];
};

/** Walks all reports of the source through the api. A page that is refused is asked for again, for up to a minute. */
export async function walk(url: string, key: string): Promise<Walk> {
  const query = `stations=${STATIONS.join(',')}&from=${FIRST_DAY}T00:00:00Z&to=${END_DAY}T00:00:00Z&limit=10000`;
  const records: string[] = [];
  const faults: string[] = [];
  let pages = 0;
  let previous = '';
  for (let cursor = ''; ; ) {
    const body = await pageOf(url, key, `${OBSERVATIONS}?${query}${cursor}`);
    if (body === undefined) return { records, pages, faults: [...faults, 'no page within a minute'] };
    pages += 1;
    for (const { station, observedAt } of body.data) {
      const position = `${observedAt} ${station}`;
      if (position <= previous) faults.push(`${position} comes after ${previous}`);
      previous = position;
      records.push(`${station} ${observedAt}`);
    }
    if (!body.meta.hasMore) return { records, pages, faults };
    cursor = `&cursor=${body.meta.nextCursor}`;
  }
}

type Body = {
  readonly data: readonly { readonly station: string; readonly observedAt: string }[];
  readonly meta: { readonly hasMore: boolean; readonly nextCursor?: string };
};

async function pageOf(url: string, key: string, path: string): Promise<Body | undefined> {
  for (let tries = 0; tries < 240; tries += 1) {
    const { status, body } = await send(url, { key, path });
    if (status === 200) return JSON.parse(body) as Body;
    await sleep(250);
  }
  return undefined;
}

export function environment({ dataDir }: Pick<Service, 'dataDir'>, { url }: LoadSource) {
  return { DATA_DIR: dataDir, IEM_URL: url };
}

/** Whether the archive claims no day whose reports it lacks. */
export async function claimsOf({ url, dataDir }: Service, source: LoadSource, key: string) {
  const { records, faults } = await walk(url, key);
  return [...faults, ...(await falseClaims(dataDir, source, new Set(records)))];
}

/** Whether the archive holds each report of the source once and nothing else. */
export async function compare(service: Pick<Service, 'url'>, source: LoadSource, key: string) {
  const { records, faults } = await walk(service.url, key);
  const stored = new Set(records);
  const lost = [...source.expected].filter((report) => !stored.has(report)).length;
  return {
    notes: [`${lost} of ${source.expected.size.toLocaleString('en')} lost`],
    breaches: [
      ...faults.slice(0, 3),
      lost > 0 && `${lost} lost`,
      records.length > source.expected.size && `${records.length - source.expected.size} reports too many`,
    ],
  };
}
