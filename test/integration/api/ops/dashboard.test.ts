import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'mocha';
import { OBSERVATIONS, QUERY, startApiWithReports } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import { ASYNCHRONOUS_METRICS, assertPrinted } from '../../../support/documents/promql.ts';

const DASHBOARD = new URL('../../../../docs/operations/grafana-dashboard.json', import.meta.url);

/** Counters are in the table once they have counted something. */
const CLICKHOUSE = `
  SELECT concat('ClickHouseMetrics_', metric, ' 1') FROM system.metrics
  UNION ALL
  SELECT concat('ClickHouseProfileEvents_', event, ' 1') FROM system.events
  FORMAT TSV`;

type Panel = {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
};
type Dashboard = {
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
};

describe('Grafana dashboard', () => {
  const { panels, annotations, templating } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;
  let api: Awaited<ReturnType<typeof startApiWithReports>>;
  let metrics: string;
  /** What ClickHouse prints. */
  let clickhouse: string;
  before(async () => {
    api = await startApiWithReports([report({ at: '2024-01-01T00:00:00Z' })]);
    await (await api.get(`${OBSERVATIONS}?${QUERY}`)).text();
    // Streams have series once one has been sent.
    await (await api.get(`${OBSERVATIONS}.csv?${QUERY}`)).text();
    metrics = await (await fetch(api.metricsUrl)).text();
    const rows = await api.archive.select({ query: CLICKHOUSE });
    clickhouse = `${rows.toString()}\n${ASYNCHRONOUS_METRICS}`;
  });
  after(() => api.stop());

  it('reads only metrics and labels that the service and ClickHouse print', () => {
    const variables = templating.list.flatMap(({ definition }) =>
      definition === undefined
        ? []
        : [/^label_values\((.+), \w+\)$/.exec(definition)?.[1] ?? assert.fail(definition)],
    );
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    assertPrinted(
      [...expressions, ...variables, ...annotations.list.map(({ expr }) => expr)],
      `${metrics}\n${clickhouse}`,
    );
  });

  it('shows every metric of the service', () => {
    const shown = JSON.stringify(panels);
    const printed = [...metrics.matchAll(/^# TYPE (history_\w+)/gm)].map(([, name = '']) => name);
    assert.ok(printed.length >= 5);
    assert.deepEqual(
      printed.filter((name) => !shown.includes(name)),
      [],
    );
  });

  it('has panels that do not overlap, each with an id of its own', () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const [n, a] of panels.entries()) {
      assert.ok(a.gridPos.x + a.gridPos.w <= 24, a.title);
      for (const b of panels.slice(n + 1)) {
        const apart = (axis: 'x' | 'y', size: 'w' | 'h') =>
          a.gridPos[axis] + a.gridPos[size] <= b.gridPos[axis] ||
          b.gridPos[axis] + b.gridPos[size] <= a.gridPos[axis];
        assert.ok(apart('x', 'w') || apart('y', 'h'), `${a.title} and ${b.title}`);
      }
    }
  });
});

describe('assertPrinted', () => {
  const TEXT = '# TYPE a_total counter\na_total{status="200"} 1\nb 2\n';
  for (const [name, expression] of [
    ['a metric that is not printed', 'rate(c_total[5m])'],
    ['a label that the metric does not have', 'sum by (code) (a_total)'],
    ['text that is not PromQL', 'rate(a_total[5m]'],
    ['an expression without a metric', '1 + 1'],
  ])
    it(`fails for ${name}`, () => assert.throws(() => assertPrinted([expression ?? ''], TEXT)));

  it('accepts what is printed', () =>
    assertPrinted(['sum by (status, job) (rate(a_total{instance=~"$x"}[$__rate_interval])) / sum(b)'], TEXT));
});
