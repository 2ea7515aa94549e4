import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics for Prometheus. Labels have few values: endpoint and plan are labels; path, key and station are not. */
export type Metrics = {
  request(finished: FinishedRequest): void;
  /** A stream of a format has ended, complete or not. */
  stream(format: string, bytes: number): void;
  /** Adds a metric that is read when the metrics are printed. A counter ends with `_total` and never decreases. */
  add(metric: PolledMetric): void;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
};

export type PolledMetric = {
  readonly kind: 'gauge' | 'counter';
  readonly name: `history_${string}`;
  readonly help: string;
  readonly read: () => number;
};

type FinishedRequest = {
  /** The label of its route. */
  readonly endpoint: string;
  /** The plan of the key, or `none`. */
  readonly plan: string;
  /** The format of an answer with data, or `none`. */
  readonly format: string;
  readonly status: number;
  /** The problem code, or `none`. */
  readonly code: string;
  readonly seconds: number;
  readonly records: number;
};

export const METRICS_CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Upper bounds in seconds. A page of 1,000 records takes some 10 ms; a query may take 30 s. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics of the requests, followed by the metrics of the process. */
export function collectMetrics(processMetrics: Registry): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'history_requests_total',
    help: 'Requests by endpoint, plan, format, HTTP status and problem code.',
    labelNames: ['endpoint', 'plan', 'format', 'status', 'code'],
    registers,
  });
  const seconds = new Histogram({
    name: 'history_request_seconds',
    help: 'Time from the start of a request to the end of its response, by endpoint.',
    labelNames: ['endpoint'],
    buckets: BUCKETS,
    registers,
  });
  const records = new Counter({
    name: 'history_records_served_total',
    help: 'Observation records in responses.',
    registers,
  });
  const streams = new Counter({
    name: 'history_streams_total',
    help: 'Requests for a stream of records by format, whatever their result.',
    labelNames: ['format'],
    registers,
  });
  const streamBytes = new Counter({
    name: 'history_stream_bytes_total',
    help: 'Bytes that streams of records have sent, by format.',
    labelNames: ['format'],
    registers,
  });
  return {
    stream(format, bytes) {
      streams.inc({ format });
      streamBytes.inc({ format }, bytes);
    },
    request({ endpoint, plan, format, status, code, ...finished }) {
      requests.inc({ endpoint, plan, format, status, code });
      seconds.observe({ endpoint }, finished.seconds);
      records.inc(finished.records);
    },
    add({ kind, name, help, read }) {
      if (kind === 'gauge') new Gauge({ name, help, registers, collect: setTo(read) });
      else new Counter({ name, help, registers, collect: countTo(read) });
    },
    text: () => Registry.merge([registry, processMetrics]).metrics(),
  };
}

function setTo(read: () => number) {
  return function (this: Gauge): void {
    this.set(read());
  };
}

function countTo(read: () => number) {
  return function (this: Counter): void {
    this.reset();
    this.inc(read());
  };
}

/** CPU, memory, event loop and garbage collection of this process. Call once per process. */
export function collectProcessMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
