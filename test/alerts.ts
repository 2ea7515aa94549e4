import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RULES = fileURLToPath(new URL('../docs/operations/alerts.yml', import.meta.url));

type Case = {
  readonly about: string;
  /** The values of each minute, in the notation of promtool. */
  readonly series: Readonly<Record<string, string>>;
  /** The alerts that fire at a time; no others do. */
  readonly firing: Readonly<Record<string, readonly string[]>>;
};

export const ALERT_CASES: readonly Case[] = [
  {
    about: 'Nothing is wrong: two sources that succeed, a fresh archive, room on the disk, little memory',
    series: {
      'up{job="history-api"}': '1x2000',
      'up{job="history-loader"}': '1x2000',
      'up{job="clickhouse"}': '1x2000',
      'history_newest_report_age_seconds{job="history-api"}': '1200x2000',
      'history_newest_report_age_seconds{job="history-loader"}': '1200x2000',
      'history_loader_requests_total{job="history-loader", source="iem"}': '0+1x2000',
      'history_loader_last_success_timestamp_seconds{job="history-loader", source="iem"}': '_x5 0+60x2000',
      'history_data_dir_available_bytes{job="history-api"}': '500x2000',
      'history_data_dir_size_bytes{job="history-api"}': '1000x2000',
      'process_resident_memory_bytes{job="history-api"}': '400x2000',
      'history_memory_bound_bytes{job="history-api"}': '500x2000',
      'history_requests_total{job="history-api", code="none", status="200"}': '0+100x2000',
    },
    firing: { '2m': [], '33h': [] },
  },
  {
    about: 'HistoryApiDown: after two minutes',
    series: {
      'up{job="history-api"}': '0x10',
    },
    firing: { '1m': [], '3m': ['HistoryApiDown'] },
  },
  {
    about: 'HistoryClickHouseDown: after two minutes',
    series: {
      'up{job="clickhouse"}': '0x10',
    },
    firing: { '1m': [], '3m': ['HistoryClickHouseDown'] },
  },
  {
    about: 'HistoryStorageUnavailable: some requests fail',
    series: {
      'history_requests_total{job="history-api", code="storage_unavailable", status="503"}': '0+1x60',
      'history_requests_total{job="history-api", code="none", status="200"}': '0+100x60',
    },
    firing: { '10m': ['HistoryStorageUnavailable'] },
  },
  {
    about: 'HistoryKeyStoreUnavailable: some requests fail',
    series: {
      'history_requests_total{job="history-api", code="key_store_unavailable", status="503"}': '0+1x60',
      'history_requests_total{job="history-api", code="none", status="200"}': '0+100x60',
    },
    firing: { '10m': ['HistoryKeyStoreUnavailable'] },
  },
  {
    about: 'HistoryQueryTimeouts: some requests fail',
    series: {
      'history_requests_total{job="history-api", code="query_timeout", status="504"}': '0+1x60',
      'history_requests_total{job="history-api", code="none", status="200"}': '0+100x60',
    },
    firing: { '20m': ['HistoryQueryTimeouts'] },
  },
  {
    about: 'HistoryInternalErrors: the first failure makes the series',
    series: {
      'history_requests_total{job="history-api", code="internal", status="500"}': '_x30 1x60',
    },
    firing: { '29m': [], '32m': ['HistoryInternalErrors'], '60m': [] },
  },
  {
    about: 'HistoryOverloaded: two in a hundred',
    series: {
      'history_requests_total{job="history-api", code="overloaded", status="503"}': '0+2x60',
      'history_requests_total{job="history-api", code="none", status="200"}': '0+98x60',
    },
    firing: { '30m': ['HistoryOverloaded'] },
  },
  {
    about: 'HistorySlowResponses: one in ten takes longer than two and a half seconds',
    series: {
      'history_request_seconds_bucket{job="history-api", endpoint="observations", le="1"}': '0+90x60',
      'history_request_seconds_bucket{job="history-api", endpoint="observations", le="2.5"}': '0+90x60',
      'history_request_seconds_bucket{job="history-api", endpoint="observations", le="5"}': '0+100x60',
      'history_request_seconds_bucket{job="history-api", endpoint="observations", le="+Inf"}': '0+100x60',
    },
    firing: { '40m': ['HistorySlowResponses'] },
  },
  {
    about: '4 GB are no fault where the settings allow them',
    series: {
      'process_resident_memory_bytes{job="history-api"}': '4e9x60',
      'history_memory_bound_bytes{job="history-api"}': '5e9x60',
    },
    firing: { '40m': [] },
  },
  {
    about: 'HistoryMemoryNearLimit: more than the settings allow',
    series: {
      'process_resident_memory_bytes{job="history-api", instance="small"}': '5.2e8x60',
      'history_memory_bound_bytes{job="history-api", instance="small"}': '5.1e8x60',
    },
    firing: { '10m': [], '20m': ['HistoryMemoryNearLimit'] },
  },
  {
    about: 'HistoryFilesNearLimit',
    series: {
      'process_open_fds{job="history-api"}': '900x60',
      'process_max_fds{job="history-api"}': '1024x60',
    },
    firing: { '10m': ['HistoryFilesNearLimit'] },
  },
  {
    about:
      'HistoryArchiveOld: a dead source since the start, with an archive that is not empty; the loader and the api both know its age',
    series: {
      'up{job="history-loader"}': '1x60',
      'history_newest_report_age_seconds{job="history-loader"}': '12000+60x60',
      'history_newest_report_age_seconds{job="history-api"}': '12000+60x60',
    },
    firing: { '5m': [], '15m': ['HistoryArchiveOld'] },
  },
  {
    about: 'HistoryArchiveOld: a dead source since the start, with an empty archive: nobody knows an age',
    series: {
      'up{job="history-loader"}': '1x60',
    },
    firing: { '5m': [], '15m': ['HistoryArchiveOld'] },
  },
  {
    about: 'An archive of past years, which no loader follows, is not old',
    series: {
      'up{job="history-api"}': '1x60',
      'history_newest_report_age_seconds{job="history-api"}': '1e8x60',
    },
    firing: { '30m': [] },
  },
  {
    about: 'HistoryLoaderDown; the api knows the age of the archive',
    series: {
      'up{job="history-loader"}': '0x60',
      'history_newest_report_age_seconds{job="history-api"}': '1200x60',
    },
    firing: { '15m': ['HistoryLoaderDown'] },
  },
  {
    about:
      'HistorySourceSilent: one of two sources has been dead since its last success, and the loader was started again meanwhile',
    series: {
      'up{job="history-loader"}': '1x3000',
      'history_newest_report_age_seconds{job="history-loader"}': '1200x3000',
      'history_loader_requests_total{job="history-loader", source="iem"}': '0+1x3000',
      'history_loader_requests_total{job="history-loader", source="ogimet"}': '0+1x3000',
      'history_loader_last_success_timestamp_seconds{job="history-loader", source="iem"}': '0+60x3000',
      'history_loader_last_success_timestamp_seconds{job="history-loader", source="ogimet"}':
        '0+60x60 3600x500 stale',
    },
    firing: { '24h': [], '26h': ['HistorySourceSilent'] },
  },
  {
    about: 'HistorySourceSilent: a source has never succeeded',
    series: {
      'up{job="history-loader"}': '1x3000',
      'history_newest_report_age_seconds{job="history-loader"}': '1200x3000',
      'history_loader_requests_total{job="history-loader", source="ogimet"}': '0+1x3000',
    },
    firing: { '23h': [], '25h': ['HistorySourceSilent'] },
  },
  {
    about: 'A source that is no longer followed is not missed',
    series: {
      'up{job="history-loader"}': '1x3000',
      'history_newest_report_age_seconds{job="history-loader"}': '1200x3000',
      'history_loader_requests_total{job="history-loader", source="ogimet"}': '0+1x60 stale',
      'history_loader_last_success_timestamp_seconds{job="history-loader", source="ogimet"}': '0+60x60 stale',
    },
    firing: { '40h': [] },
  },
  {
    about: 'HistoryDiskFillsUp, HistoryDiskNearlyFull: DATA_DIR of one machine',
    series: {
      'history_data_dir_available_bytes{job="history-api"}': '300x20 200x40 50x60',
      'history_data_dir_size_bytes{job="history-api"}': '1000x200',
    },
    firing: {
      '15m': [],
      '45m': ['HistoryDiskFillsUp'],
      '90m': ['HistoryDiskFillsUp', 'HistoryDiskNearlyFull'],
    },
  },
  {
    about: "HistoryDiskFillsUp, HistoryDiskNearlyFull: ClickHouse's own server",
    series: {
      'ClickHouseAsyncMetrics_DiskAvailable_default{job="clickhouse"}': '50x60',
      'ClickHouseAsyncMetrics_DiskTotal_default{job="clickhouse"}': '1000x60',
    },
    firing: { '30m': ['HistoryDiskFillsUp', 'HistoryDiskNearlyFull'] },
  },
  {
    about: 'HistoryManyParts, HistoryInsertsWait: merges do not keep up',
    series: {
      'ClickHouseAsyncMetrics_MaxPartCountForPartition{job="clickhouse"}': '600x60',
      'ClickHouseMetrics_DelayedInserts{job="clickhouse"}': '3x60',
    },
    firing: { '40m': ['HistoryInsertsWait', 'HistoryManyParts'] },
  },
  {
    about: 'HistoryClickHouseMemory',
    series: {
      'ClickHouseMetrics_MemoryTracking{job="clickhouse"}': '9x60',
      'ClickHouseAsyncMetrics_OSMemoryTotal{job="clickhouse"}': '10x60',
    },
    firing: { '20m': ['HistoryClickHouseMemory'] },
  },
  {
    about: 'HistoryReplicaReadonly, HistoryReplicaLags',
    series: {
      'ClickHouseMetrics_ReadonlyReplica{job="clickhouse"}': '1x60',
      'ClickHouseAsyncMetrics_ReplicasMaxAbsoluteDelay{job="clickhouse"}': '400x60',
    },
    firing: { '30m': ['HistoryReplicaLags', 'HistoryReplicaReadonly'] },
  },
];

/** `npm run test:alerts`: tries them with promtool of Prometheus. */
function run(): number | null {
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
  const tests = ALERT_CASES.map(({ about, series, firing }) => ({
    name: about,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: Object.entries(firing).map(([eval_time, alerts]) => ({
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time,
      exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
    })),
  }));
  // YAML is a superset of JSON.
  const file = join(folder, 'cases.json');
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
  const { status } = spawnSync('promtool', ['test', 'rules', file], { stdio: 'inherit' });
  rmSync(folder, { recursive: true });
  return status;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = run() ?? 1;
