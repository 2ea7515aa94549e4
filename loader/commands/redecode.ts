import type { ClickHouseClient } from '@clickhouse/client';
import { versionDecoded } from '../../clickhouse/model/row-version.ts';
import type { ReportSelection } from '../../clickhouse/observations/current-reports.ts';
import { deleteSourceIfUnlisted } from '../../clickhouse/observations/delete-source.ts';
import { insertRevisions, type Revision } from '../../clickhouse/observations/insert.ts';
import {
  countOutdatedDecodes,
  type OutdatedCount,
  type OutdatedReport,
  readOutdatedDecodes,
  readOutdatedYears,
} from '../../clickhouse/observations/outdated-decodes.ts';
import type { decode } from '../decode.ts';
import { retryStorage } from '../pipeline/retry-storage.ts';
import type { Steps } from '../progress/steps.ts';

export type Decoder = { readonly version: number; readonly decode: typeof decode };

/** Reports that are read, decoded and written at once: an insert of its own, below one block and in one partition. */
const BATCH = 50_000;
const STATIONS_AT_ONCE = 500;
/** While one batch is decoded here, the engine writes the other. */
const AT_ONCE = 2;

export type Redecoded = {
  readonly decoded: number;
  /** Reports that an older decoder still was the last to read. */
  readonly left: number;
};

/**
 * Lets a decoder read every archived text that an older one read last, and adds what it says: the same report with a
 * higher version. What is done is told by the rows themselves, so that a run goes on wherever another was cut short.
 * A loader may insert meanwhile: see `versionDecoded`; and the demo's reports may be taken out: see `forgetRewritten`.
 */
export async function redecode(
  client: ClickHouseClient,
  scope: ReportSelection,
  decoder: Decoder,
  steps: Steps,
  stop: { readonly noMore: AbortSignal; readonly signal: AbortSignal },
): Promise<Redecoded> {
  const planned = () => retryStorage(() => plan(client, scope, decoder, stop.signal), stop.signal);
  const batches = await planned();
  steps.begin(sum(batches));
  let decoded = 0;
  const queue = batches.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const batch of queue) {
        if (stop.noMore.aborted) return;
        const reports = await retryStorage(
          () => redecodeBatch(client, batch, decoder, stop.signal),
          stop.signal,
        );
        decoded += reports;
        steps.advance(decoded);
      }
    }),
  );
  const left = stop.noMore.aborted ? sum(batches) - decoded : sum(await planned());
  return { decoded, left };
}

type Batch = ReportSelection & { readonly reports: number };

async function plan(
  client: ClickHouseClient,
  scope: ReportSelection,
  decoder: Decoder,
  signal: AbortSignal,
): Promise<readonly Batch[]> {
  const batches: Batch[] = [];
  for (const year of await readOutdatedYears(client, decoder.version, scope, signal)) {
    const range = {
      from: Math.max(scope.from, Date.UTC(year, 0) / 1000),
      to: Math.min(scope.to, Date.UTC(year + 1, 0) / 1000),
    };
    const counts = await countOutdatedDecodes(client, decoder.version, { ...scope, ...range }, signal);
    for (const group of groupsOf(counts))
      batches.push({ ...range, stations: group.map(({ station }) => station), reports: sum(group) });
  }
  return batches;
}

/** Neighbours in the order of the projection, a batch together. */
function groupsOf(counts: readonly OutdatedCount[]): readonly (readonly OutdatedCount[])[] {
  const groups: OutdatedCount[][] = [];
  let reports = BATCH;
  for (const count of counts) {
    const group = groups.at(-1);
    if (group === undefined || reports + count.reports > BATCH || group.length === STATIONS_AT_ONCE) {
      groups.push([count]);
      reports = count.reports;
    } else {
      group.push(count);
      reports += count.reports;
    }
  }
  return groups;
}

async function redecodeBatch(
  client: ClickHouseClient,
  batch: Batch,
  decoder: Decoder,
  signal: AbortSignal,
): Promise<number> {
  let decoded = 0;
  let synthetic = false;
  async function* revisions(): AsyncGenerator<readonly Revision[]> {
    for await (const group of readOutdatedDecodes(client, decoder.version, batch, signal)) {
      decoded += group.length;
      synthetic ||= group.some(({ source }) => source === 'demo');
      yield group.map((report) => read(report, decoder));
    }
  }
  await insertRevisions(client, revisions(), signal);
  // The one source that can be told to go, perhaps between reading and writing.
  if (synthetic) await deleteSourceIfUnlisted(client, 'demo', signal);
  return decoded;
}

function read({ version, ...held }: OutdatedReport, decoder: Decoder): Revision {
  const { fields, unexplained } = decoder.decode(held.raw);
  const outcome = unexplained.length === 0 ? 'clean' : 'unclean';
  const report = { ...held, outcome, decoder: decoder.version, decoded: fields } as const;
  return { kind: 'put', report, version: versionDecoded(decoder.version, { version }) };
}

function sum(counts: readonly { readonly reports: number }[]): number {
  return counts.reduce((total, { reports }) => total + reports, 0);
}
