/** Counts for Prometheus (text format 0.0.4). Few labels with few values: no path, key or station is one. */
export type Metrics = {
  request(answer: AnsweredRequest): void;
  text(): Promise<string>;
};

export type AnsweredRequest = {
  readonly status: number;
  readonly code: string;
  readonly seconds: number;
  readonly records: number;
};

/** Upper bounds in seconds. A page of 1,000 records takes some 10 ms; the time limit of a query is 30 s. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function collectMetrics(residentBytes: () => number = process.memoryUsage.rss): Metrics {
  const requests = new Map<string, number>();
  const within = BUCKETS.map(() => 0);
  let count = 0;
  let sum = 0;
  let recordsServed = 0;
  return {
    request({ status, code, seconds, records }) {
      const labels = `status="${status}",code="${code}"`;
      requests.set(labels, (requests.get(labels) ?? 0) + 1);
      for (const [at, bound] of BUCKETS.entries()) if (seconds <= bound) within[at] = (within[at] ?? 0) + 1;
      count += 1;
      sum += seconds;
      recordsServed += records;
    },
    async text() {
      return [
        ...family('history_requests_total', 'counter', 'Requests answered, by status and problem code.'),
        ...[...requests].map(([labels, value]) => `history_requests_total{${labels}} ${value}`),
        ...family(
          'history_request_seconds',
          'histogram',
          'Time from the request to the last byte of its answer.',
        ),
        ...BUCKETS.map((bound, at) => `history_request_seconds_bucket{le="${bound}"} ${within[at]}`),
        `history_request_seconds_bucket{le="+Inf"} ${count}`,
        `history_request_seconds_sum ${sum}`,
        `history_request_seconds_count ${count}`,
        ...family('history_records_served_total', 'counter', 'Observation records sent.'),
        `history_records_served_total ${recordsServed}`,
        ...family('process_resident_memory_bytes', 'gauge', 'Resident memory of all processes.'),
        `process_resident_memory_bytes ${residentBytes()}`,
        '',
      ].join('\n');
    },
  };
}

function family(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
