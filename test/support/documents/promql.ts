import assert from 'node:assert/strict';
import { parser } from '@prometheus-io/lezer-promql';

/** What an expression reads: the name of a metric and the labels by which it selects or groups. */
type MetricUse = { readonly metrics: ReadonlySet<string>; readonly labels: ReadonlySet<string> };

/** Labels that Prometheus adds to every sample. */
const TARGET_LABELS = ['job', 'instance'];

/**
 * Of ClickHouse's table system.asynchronous_metrics, which the server out of the npm package does not have, as Prometheus
 * reads them.
 */
export const ASYNCHRONOUS_METRICS = [
  'DiskAvailable_default',
  'DiskTotal_default',
  'MaxPartCountForPartition',
  'OSMemoryTotal',
  'ReplicasMaxAbsoluteDelay',
]
  .map((name) => `ClickHouseAsyncMetrics_${name} 1\n`)
  .join('');

/** Throws where the expression is not valid PromQL. Grafana's variables for ranges stand for a duration. */
function parsePromql(expression: string): MetricUse {
  const text = expression.replaceAll(/\$__(rate_interval|interval|range)/g, '5m');
  const metrics = new Set<string>();
  const labels = new Set<string>();
  parser.parse(text).iterate({
    enter({ name, type, from, to }) {
      assert.ok(!type.isError, `not PromQL at ${from}: ${expression}`);
      if (name === 'Identifier') metrics.add(text.slice(from, to));
      if (name === 'LabelName') labels.add(text.slice(from, to));
    },
  });
  return { metrics, labels };
}

/** Fails for a metric, or a label of the metrics of an expression, that the service does not print. */
export function assertPrinted(expressions: readonly string[], metricsText: string): void {
  const labelsOf = printedSeries(metricsText);
  assert.ok(expressions.length > 0);
  for (const expression of expressions) {
    const { metrics, labels } = parsePromql(expression);
    assert.ok(metrics.size > 0, expression);
    const printedLabels = new Set(TARGET_LABELS);
    for (const metric of metrics) {
      const own = labelsOf.get(metric) ?? assert.fail(`${metric} is not printed: ${expression}`);
      for (const label of own) printedLabels.add(label);
    }
    for (const label of labels)
      assert.ok(printedLabels.has(label), `no metric has the label ${label}: ${expression}`);
  }
}

/** The names of all series in the text format of Prometheus, with their labels. */
function printedSeries(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const labelsOf = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = /^([a-z_:]\w*)(?:\{(.*)\})? /i.exec(line) ?? [];
    if (name === undefined) continue;
    const known = labelsOf.get(name) ?? new Set<string>();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    labelsOf.set(name, known);
  }
  return labelsOf;
}
