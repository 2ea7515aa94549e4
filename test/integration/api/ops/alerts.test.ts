import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parser } from '@prometheus-io/lezer-promql';
import { load } from 'js-yaml';
import { PROBLEMS } from '../../../../api/problem.ts';
import { followMetrics } from '../../../../loader/follow/metrics.ts';
import type { CycleResult } from '../../../../loader/follow/source-follower.ts';
import { ALERT_CASES } from '../../../alerts.ts';
import { OBSERVATIONS, QUERY, startApiWithReports } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import { newFolder } from '../../../support/test-run.ts';

/** Labels that Prometheus adds to every sample. */
const TARGET_LABELS = ['job', 'instance'];

/**
 * Of ClickHouse's table system.asynchronous_metrics, which the server out of the npm package does not have, as Prometheus
 * reads them.
 */
const ASYNCHRONOUS_METRICS = [
  'DiskAvailable_default',
  'DiskTotal_default',
  'MaxPartCountForPartition',
  'OSMemoryTotal',
  'ReplicasMaxAbsoluteDelay',
]
  .map((name) => `ClickHouseAsyncMetrics_${name} 1\n`)
  .join('');

type Alert = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
};
type Rules = { readonly groups: readonly { readonly name: string; readonly rules: readonly Alert[] }[] };

/** What the operator replaces with the address of the repository. */
const PLACE = 'https://example.org/history/';

const OPERATIONS = new URL('../../../../docs/operations/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, OPERATIONS), 'utf8');

/** What Prometheus itself records for each target. */
const MADE_BY_PROMETHEUS = 'up 1\n';

/** Counters are in the table once they have counted something. */
const CLICKHOUSE = `
  SELECT concat('ClickHouseMetrics_', metric, ' 1') FROM system.metrics
  UNION ALL
  SELECT concat('ClickHouseProfileEvents_', event, ' 1') FROM system.events
  FORMAT TSV`;

type Expression = { readonly expr: string };
type Panel = {
  readonly id: number;
  readonly title: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets?: readonly Expression[];
};
type Dashboard = {
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly Expression[] };
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
};

describe('what operators read of the service and ClickHouse', () => {
  /** What the service and ClickHouse print. */
  let metrics: string;
  let loader: string;
  let clickhouse: string;
  before(async () => {
    const api = await startApiWithReports([report({ at: '2024-01-01T00:00:00Z' })]);
    await (await api.get(`${OBSERVATIONS}?${QUERY}`)).text();
    // Streams have series once one has been sent.
    await (await api.get(`${OBSERVATIONS}.csv?${QUERY}`)).text();
    metrics = await (await fetch(api.metricsUrl)).text();
    clickhouse = `${await api.archive.select({ query: CLICKHOUSE })}\n${ASYNCHRONOUS_METRICS}`;
    const follower = followMetrics(() => new Date(), ['iem'], tmpdir());
    const tally = { reports: 1, requests: 1, inserted: 1 } as CycleResult['tally'];
    const cycle = { tally, seconds: 1, isComplete: true, daysNotDone: 0, newestReport: 1 };
    follower.add('iem', cycle, new Date());
    loader = await follower.text();
    await api.stop();
  });

  describe('alert rules', () => {
    const { groups } = load(read('alerts.yml')) as Rules;
    const expressionsOf = (name: string) =>
      groups.filter((group) => group.name === name).flatMap(({ rules }) => rules.map(({ expr }) => expr));

    it('read only metrics and labels that the service and ClickHouse print', () => {
      const programs = `${metrics}${loader}${MADE_BY_PROMETHEUS}`;
      assertPrinted(expressionsOf('history-service'), programs);
      assertPrinted(expressionsOf('history-archive'), `${clickhouse}\n${programs}`);
    });

    it('lead to the runbook of the operator by the command of their first lines', async () => {
      const file = join(newFolder(), 'alerts.yml');
      await copyFile(new URL('alerts.yml', OPERATIONS), file);
      const command = /^# {3}(sed .*)$/m.exec(read('alerts.yml'))?.[1] ?? assert.fail('no command');
      await promisify(execFile)('sh', ['-ec', command.replace('YOUR-PLACE', 'git.example.net/me')], {
        cwd: dirname(file),
      });
      const changed = (load(await readFile(file, 'utf8')) as Rules).groups.flatMap(({ rules }) => rules);
      for (const { alert, annotations } of changed)
        assert.match(
          annotations.runbook_url,
          /^https:\/\/git\.example\.net\/me\/docs\/operations\/runbook\.md#[a-z0-9-]+$/,
          alert,
        );
    });

    it('name only codes that exist', () => {
      const codes = expressionsOf('history-service').flatMap((text) => [...text.matchAll(/code="(\w+)"/g)]);
      assert.ok(codes.length > 3);
      for (const [, code = ''] of codes) assert.ok(code in PROBLEMS, code);
    });

    it('each have a name, a severity, a section of the runbook and a case for promtool', () => {
      const alerts = groups.flatMap(({ rules }) => rules);
      assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length);
      const tried = ALERT_CASES.flatMap(({ firing }) => Object.values(firing).flat());
      const sections = [...read('runbook.md').matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^a-z0-9 ]/g, '')
          .replaceAll(' ', '-'),
      );
      for (const { alert, labels, annotations } of alerts) {
        assert.match(labels.severity, /^(critical|warning)$/);
        assert.ok(annotations.summary.length > 10, alert);
        const [place, section = ''] = annotations.runbook_url.split('#');
        assert.equal(place, `${PLACE}docs/operations/runbook.md`);
        assert.ok(sections.includes(section), `${alert}: ${section}`);
        assert.ok(tried.includes(alert), `test/alerts.ts tries no case of ${alert}`);
      }
    });
  });

  describe('Grafana dashboard', () => {
    const { panels, annotations, templating } = JSON.parse(read('grafana-dashboard.json')) as Dashboard;

    it('reads only metrics and labels that the service and ClickHouse print', () => {
      const variables = templating.list.flatMap(({ definition }) =>
        definition === undefined
          ? []
          : [/^label_values\((.+), \w+\)$/.exec(definition)?.[1] ?? assert.fail(definition)],
      );
      const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      assertPrinted(
        [...expressions, ...variables, ...annotations.list.map(({ expr }) => expr)],
        `${metrics}\n${loader}\n${clickhouse}`,
      );
    });

    it('shows every metric of the service and of the loader', () => {
      const shown = JSON.stringify(panels);
      const printed = [...`${metrics}\n${loader}`.matchAll(/(?<=^# TYPE )history_\w+/gm)].map(
        ([name]) => name,
      );
      assert.ok(printed.length >= 12);
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
});

describe('assertPrinted', () => {
  const TEXT = '# TYPE a_total counter\na_total{status="200"} 1\nb 2\n';
  it('fails for what is not printed and for what is no PromQL, and accepts the rest', () => {
    for (const expression of ['rate(c_total[5m])', 'sum by (code) (a_total)', 'rate(a_total[5m]', '1 + 1'])
      assert.throws(() => assertPrinted([expression], TEXT), Error, expression);
    assertPrinted(['sum by (status, job) (rate(a_total{instance=~"$x"}[$__rate_interval])) / sum(b)'], TEXT);
  });
});

/**
 * Fails for text that is not PromQL, and for a metric, or a label of the metrics of an expression, that the service does not
 * print. Grafana's variables for ranges stand for a duration.
 */
function assertPrinted(expressions: readonly string[], metricsText: string): void {
  const labelsOf = printedSeries(metricsText);
  assert.ok(expressions.length > 0);
  for (const expression of expressions) {
    const text = expression.replaceAll(/\$__(rate_interval|interval|range)/g, '5m');
    const [metrics, labels]: [string[], string[]] = [[], []];
    parser.parse(text).iterate({
      enter({ name, type, from, to }) {
        assert.ok(!type.isError, `not PromQL at ${from}: ${expression}`);
        if (name === 'Identifier') metrics.push(text.slice(from, to));
        if (name === 'LabelName') labels.push(text.slice(from, to));
      },
    });
    assert.ok(metrics.length > 0, expression);
    const printed = metrics.flatMap((each) => [
      ...(labelsOf.get(each) ?? assert.fail(`${each} is not printed: ${expression}`)),
    ]);
    for (const label of labels)
      assert.ok(
        [...TARGET_LABELS, ...printed].includes(label),
        `no metric has the label ${label}: ${expression}`,
      );
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
