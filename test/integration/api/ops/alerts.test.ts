import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { after, before, describe, it } from 'mocha';
import { PROBLEMS } from '../../../../api/problem.ts';
import { startApiWithReports } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import { ASYNCHRONOUS_METRICS, assertPrinted } from '../../../support/documents/promql.ts';
import { startServerAsInCompose } from '../../../support/engine/server-as-in-compose.ts';

type Alert = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
};
type Rules = { readonly groups: readonly { readonly name: string; readonly rules: readonly Alert[] }[] };

const read = (name: string) =>
  readFileSync(new URL(`../../../../docs/operations/${name}`, import.meta.url), 'utf8');

/** What Prometheus itself records for each target. */
const MADE_BY_PROMETHEUS = 'up 1\n';

describe('alert rules', () => {
  const { groups } = load(read('alerts.yml')) as Rules;
  const expressionsOf = (name: string) =>
    groups.filter((group) => group.name === name).flatMap(({ rules }) => rules.map(({ expr }) => expr));

  describe('of the service', () => {
    let metrics: string;
    before(async () => {
      const api = await startApiWithReports([report({ at: '2024-01-01T00:00:00Z' })]);
      await (await api.get('/')).text();
      metrics = await (await fetch(api.metricsUrl)).text();
      await api.stop();
    });

    it('read only metrics and labels that the service prints', () =>
      assertPrinted(expressionsOf('history-service'), metrics + MADE_BY_PROMETHEUS));

    it('name only codes that exist', () => {
      const codes = expressionsOf('history-service').flatMap((text) => [...text.matchAll(/code="(\w+)"/g)]);
      assert.ok(codes.length > 3);
      for (const [, code = ''] of codes) assert.ok(code in PROBLEMS, code);
    });
  });

  describe('of the archive', () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'alerts-'));
    });
    after(() => rm(folder, { recursive: true }));

    it('read only metrics that ClickHouse has', async () => {
      const server = await startServerAsInCompose(folder, folder);
      const metrics = await server
        .run("SELECT concat('ClickHouseMetrics_', metric, ' 1') FROM system.metrics")
        .finally(() => server.kill());
      assertPrinted(
        expressionsOf('history-archive'),
        `${metrics}\n${ASYNCHRONOUS_METRICS}${MADE_BY_PROMETHEUS}`,
      );
    });
  });

  it('each have a name, a severity and a section of the runbook', () => {
    const alerts = groups.flatMap(({ rules }) => rules);
    assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length);
    const sections = [...read('runbook.md').matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^a-z0-9 ]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const { alert, labels, annotations } of alerts) {
      assert.match(labels.severity, /^(critical|warning)$/);
      assert.ok(annotations.summary.length > 10, alert);
      assert.ok(sections.includes(annotations.runbook), `${alert}: ${annotations.runbook}`);
    }
  });
});
