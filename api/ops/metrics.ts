import { Counter, Gauge, Histogram, Registry, register } from 'prom-client';
import type { Archive } from '../../clickhouse/archive.ts';
import { readNewestReport } from '../../clickhouse/coverage/report-counts.ts';
import { readDiskSpace } from '../../clickhouse/disk-space.ts';
import type { RequestQueue } from './request-queue.ts';
import { SharedRead } from './shared-read.ts';

type FinishedRequest = {
  readonly endpoint: string;
  readonly plan?: string | undefined;
  readonly format?: string | undefined;
  readonly status: number;
  readonly code: string;
  readonly seconds: number;
  readonly records: number;
  /** What was sent of a stream. */
  readonly streamBytes?: number | undefined;
};

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Upper bounds in seconds. A page of 1,000 records takes about 10 ms; a query may take 30 s. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type ProcessState = {
  readonly queue: RequestQueue;
  readonly cache: Readonly<Record<'hits' | 'misses' | 'readsAhead' | 'bytes', number>>;
  readonly limits: { readonly dataDir?: string | undefined; readonly memoryBytes: number };
  readonly newestReportAge: () => number | undefined;
};

async function diskOf({ limits: { dataDir } }: ProcessState) {
  return dataDir === undefined ? undefined : readDiskSpace(dataDir);
}

type Value = number | undefined;

/** By name: the help, and how the value is read. Names of counters end with `_total`, those of gauges do not. */
const VALUES: Readonly<
  Record<string, readonly [help: string, read: (state: ProcessState) => Value | Promise<Value>]>
> = {
  history_queries_running: [
    'Queries of the archive that run, for requests or ahead of them.',
    ({ queue }) => queue.queries,
  ],
  history_requests_waiting: ['Requests that wait for a place or for memory.', ({ queue }) => queue.waiting],
  history_response_memory_bytes: ['Memory that responses hold.', ({ queue }) => queue.bytes],
  history_page_cache_bytes: [
    'Memory of the pages and coverages in the page cache.',
    ({ cache }) => cache.bytes,
  ],
  history_memory_bound_bytes: [
    'The most memory that this process should use: by its settings, or nine tenths of what its container or unit may use.',
    ({ limits }) => memoryBound(limits.memoryBytes),
  ],
  history_data_dir_available_bytes: [
    'Bytes of the disk of DATA_DIR that are free; absent where nothing is stored in it.',
    async (state) => (await diskOf(state))?.available,
  ],
  history_data_dir_size_bytes: [
    'Size of the disk of DATA_DIR.',
    async (state) => (await diskOf(state))?.size,
  ],
  history_newest_report_age_seconds: [
    'Time since the newest observation in the archive; absent while it is not known.',
    ({ newestReportAge }) => newestReportAge(),
  ],
  history_page_cache_hits_total: ['Pages whose records were all in memory.', ({ cache }) => cache.hits],
  history_page_cache_misses_total: ['Pages for which records were read.', ({ cache }) => cache.misses],
  history_page_cache_reads_ahead_total: [
    'Reads of records that the next page of a walk will need.',
    ({ cache }) => cache.readsAhead,
  ],
};

export type Metrics = ReturnType<typeof openMetrics>;

/** Metrics for Prometheus. Labels have few values: endpoint and plan are labels; path, key and station are not. */
export function openMetrics(archive: Archive, about: Omit<ProcessState, 'newestReportAge'>) {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const requests = counter(
    'history_requests_total',
    'Requests by endpoint, plan, format, HTTP status and problem code.',
    ['endpoint', 'plan', 'format', 'status', 'code'],
  );
  const requestSeconds = new Histogram({
    name: 'history_request_seconds',
    help: 'Time from the start of a request to the end of its response, by endpoint.',
    labelNames: ['endpoint'],
    buckets: BUCKETS,
    registers,
  });
  const recordsServed = counter('history_records_served_total', 'Observation records in responses.');
  const bytesOfStreams = counter(
    'history_stream_bytes_total',
    'Bytes that streams of records have sent, by format.',
    ['format'],
  );
  const state: ProcessState = { ...about, newestReportAge: watchAge(archive) };
  for (const [name, [help, read]] of Object.entries(VALUES))
    new (name.endsWith('_total') ? Counter : Gauge)({
      name,
      help,
      registers,
      async collect() {
        const value = await read(state);
        this.reset();
        // A value that is not known has no series: prom-client begins with 0, which would be a false claim.
        if (value === undefined) this.remove();
        else this.inc(value);
      },
    });
  return {
    request(finished: FinishedRequest): void {
      const { endpoint, plan = 'none', format = 'none', status, code, seconds, streamBytes } = finished;
      requests.inc({ endpoint, plan, format, status, code });
      requestSeconds.observe({ endpoint }, seconds);
      recordsServed.inc(finished.records);
      if (streamBytes !== undefined) bytesOfStreams.inc({ format }, streamBytes);
    },
    /** All metrics, followed by those of the process (`collectDefaultMetrics`), in the text format of Prometheus. */
    text: () => Registry.merge([registry, register]).metrics(),
  };
}

/** @param limit in bytes, of the container or systemd unit. Without one it is 0, `undefined` or a number above all real memory. */
export function memoryBound(bySettings: number, limit = process.constrainedMemory()): number {
  return limit ? Math.min(bySettings, 0.9 * limit) : bySettings;
}

/** The age of the newest report in seconds. It never waits: while the archive does not answer, the last known age keeps rising. */
export function watchAge(archive: Archive): () => number | undefined {
  const newest = new SharedRead(archive, (reader) => readNewestReport(reader, new Date()));
  const refresh = () => void newest.current().catch(() => {});
  refresh();
  return () => {
    refresh();
    return newest.last === undefined ? undefined : Date.now() / 1000 - newest.last;
  };
}
