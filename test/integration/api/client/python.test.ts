import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { startApiWithReports, type TestApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import { pythonWith, usesPypi } from '../../../support/documents/python.ts';
import { runSnippet, snippetsOf } from '../../../support/documents/snippets.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../support/faulty-proxy.ts';
import { ROOT } from '../../../support/process.ts';
import { newFolder } from '../../../support/test-run.ts';

const FOLDER = join(ROOT, 'api/client/python');
const LIMITED = { status: 429, retryAfter: '1' };

/** A report of three stations every hour; one report has clouds and further fields, another one did not parse. */
function generateReports(): readonly Report[] {
  return Array.from({ length: 36 }, (_, hour) => new Date(Date.UTC(2024, 0, 1, hour)).toISOString()).flatMap(
    (at, hour) => {
      const clouds = hour === 3 ? [{ cover: 'OVC' as const, base_ft: 900 }] : [];
      const texts =
        hour === 3 ? { pk_time: '0255', rwy_state: '01010070', wdir: 180, wspd_kt: 9, pcp1h_in: 0.01 } : {};
      const failed = hour === 5 ? { clean: false } : {};
      return [
        report({ at, station: 'XAAA', decoded: { temp_c: `${hour - 5}.5`, cavok: false, clouds, ...texts } }),
        report({ at, station: 'XAAB', type: hour % 4 === 0 ? 'SPECI' : 'METAR', ...failed }),
        report({ at, station: 'XAAC', decoded: { temp_c: hour === 2 ? '-0' : String(hour), cavok: false } }),
      ];
    },
  );
}

/** Begins each program: \`walk\` is over all 72 records in pages of 20. */
const BEGIN = `
import os, json, sys
from datetime import date, datetime, timezone
from time import monotonic
from historical_observations import Client, ProblemError, TransportError
waits = []
client = Client(os.environ["URL"], os.environ["KEY"], max_retries=2, on_wait=waits.append)
def walk(limit=20, **more):
    return client.observations(["XAAA", "XAAB"], "2024-01-01", date(2024, 1, 3), limit=limit, **more)
def ids(records):
    return [record["id"] for record in records]
`;

/** Programs: what the client does, and what they print. The proxy answers their first requests with the faults. */
const PROGRAMS: readonly (readonly [
  does: string,
  code: string,
  printed: readonly string[],
  faults?: readonly FaultyProxy['faults'][number][],
])[] = [
  [
    'returns all records once, in order',
    `
all = list(walk())
print(ids(all) == ids(client.observations("XAAA,XAAB", datetime(2024, 1, 1, tzinfo=timezone.utc), "2024-01-03T00:00:00Z")))
print(len(set(ids(all))), walk().coverage, all[0]["raw"])`,
    ['True', '72 None XAAA 010000Z 18004KT CAVOK 12/07 Q1013'],
  ],
  [
    'repeats a request after 503, a reset connection and a cut body, and waits at 429',
    'print(len(set(ids(walk()))), waits)',
    ['72 [1.0]'],
    [undefined, { status: 503, retryAfter: '1' }, undefined, 'reset', undefined, 'cut', LIMITED],
  ],
  [
    'waits for the limit of a plan, and reads a frame whole with the smallest plan',
    `
client = Client(os.environ["URL"], os.environ["SANDBOX"])
# More than one request at one a second.
begin = monotonic()
print(len(walk(limit=30).to_pandas()), monotonic() - begin > 0.9)`,
    ['72 True'],
  ],
  ...[
    ['for record in one: seen.append(record["id"])', '20 None True'],
    ['one.to_pandas()', '0 None True'],
  ].map(
    ([read = '', printed = '']) =>
      [
        `raises where the rest of a range does not come, and returns no part of a frame: ${read}`,
        `
seen = []
one = walk(include="raw,decoded")
try:
    ${read}
except TransportError as error:
    rest = ids(walk(include=["decoded", "raw"], cursor=one.cursor))
    print(len(seen), error.status, len(rest) == 52)`,
        [printed],
        [undefined, 'cut', 'cut', 'cut'],
      ] as const,
  ),
  [
    'says what is wrong with a request, and repeats none that cannot succeed',
    `
try:
    list(client.observations("kjfk", "2024-01-01", "2024-01-02", type="taf"))
except ProblemError as error:
    print(error.status, error.code, [each["parameter"] for each in error.errors], len(error.request_id) > 0)
try:
    client.observations("KJFK", datetime(2024, 1, 1), "2024-01-02")
except ValueError as error:
    print("tzinfo" in str(error))`,
    ["400 invalid_parameter ['stations', 'type'] True", 'True'],
  ],
  [
    'waits no longer than an hour, and reads no number that is none',
    `
from email.utils import formatdate
from time import time
from historical_observations import retry_after
values = ["2", "0", "99999999999", "9" * 5000, "²", "٣", "1_000", "-5", "", "soon", formatdate(time() + 10**9), formatdate(0)]
print([retry_after(value) for value in [None, *values]])`,
    ['[None, 2.0, 0.0, 3600.0, 3600.0, None, None, None, None, None, None, 3600.0, 0.0]'],
  ],
  [
    'gives frames the types of their columns, whole over several parts, also without records',
    `
frame = walk(include=["raw", "decoded"]).to_pandas()
print(len(frame), frame["observedAt"].dt.tz, frame["temp_c"].dtype, frame["temp_c"].max(), frame["wspd_kt"].dtype)
three = frame[frame["observedAt"] == "2024-01-01T03:00:00Z"]
print(three["clouds"].tolist(), three["pk_time"].tolist()[0], three["rwy_state"].tolist()[0])
print(frame["temp_c"].isna().sum(), frame["observedAt"].is_monotonic_increasing)
empty = client.observations("XZZZ", "2024-01-01", "2024-01-02", include="decoded").to_pandas()
print(len(empty), "temp_c" in empty, empty["observedAt"].dt.tz)
days = client.statistics("XAAA", "2024-01-01", "2024-01-03", "max(temp_c)", by="date").to_pandas()
print(days["date"].dt.tz, (days["n"] - days["expected"]).min())
sectors = client.statistics("XAAA", "2024-01-01", "2024-01-03", "count", by="wind_sector(8)", filter="wdir = 180").to_pandas()
print(sectors["wind_sector"].tolist())`,
    [
      '72 UTC float64 30.5 float64',
      "[[{'cover': 'OVC', 'base_ft': 900}], []] 0255 01010070",
      '1 True',
      '0 True UTC',
      'UTC -12',
      "['4']",
    ],
  ],
  [
    'asks for statistics, as rows and as a frame',
    `
question = client.statistics("XAAA", "2024-01-01", "2024-01-03", ["n_cold:count(temp_c < 0)", "max(temp_c)", "time_of_max(temp_c)"], by="date")
rows = list(question)
print(rows[0], question.coverage)
frame = question.to_pandas()
print(len(frame), frame["date"].dt.tz, frame["time_of_max_temp_c"].max().isoformat())
print(client.daily(["XAAA", "XAAB"], "2024-01-01", "2024-01-03", tz="utc").to_pandas()["mean_temp_c"].round(1).tolist())`,
    [
      "{'station': 'XAAA', 'date': '2024-01-01', 'n': 24, 'expected': 24, 'n_cold': 5, 'max_temp_c': 18.5, 'time_of_max_temp_c': '2024-01-01T23:00:00Z'} partial",
      '2 UTC 2024-01-02T11:00:00+00:00',
      // Only complete days have means.
      '[6.8, nan, nan, nan]',
    ],
  ],
  [
    'keeps the sign of -0 °C in rows and in frames (D62)',
    `
import numpy
hours = lambda: client.hourly("XAAC", "2024-01-01", "2024-01-01T04:00:00Z", fields="temp_c")
print([row["temp_c"] for row in hours()], numpy.signbit(hours().to_pandas()["temp_c"]).tolist())
cold = client.observations("XAAC", "2024-01-01", "2024-01-03", include="decoded", filter="temp_c < 0")
print([record["decoded"]["temp_c"] for record in cold], cold.to_pandas()["temp_c"].tolist())`,
    ['[0, 1, -0.0, 3] [False, False, True, False]', "['-0'] [-0.0]"],
  ],
  [
    'walks over the nominal hours, also those without a report, as rows and as a frame',
    `
hours = client.hourly("XAAA", "2024-01-01", "2024-01-03", fields=["temp_c"], limit=20)
rows = list(hours)
print(len(rows), rows[0]["hour"], rows[0]["temp_c"], rows[47]["n"], hours.coverage)
frame = client.hourly("XAAA", "2024-01-01", "2024-01-03", fields="temp_c").to_pandas()
print(len(frame), frame["hour"].dt.tz, frame["temp_c"].isna().sum(), frame["temp_c"].max())
print(len(list(client.hourly("XAAA", "2024-01-01", "2024-01-03", filter="temp_c > 30"))))`,
    ['48 2024-01-01T00:00:00Z -5.5 0 partial', '48 UTC 12 30.5', '1'],
  ],
  [
    'lists stations and coverage',
    `
print([station["station"] for station in client.stations(limit=1)])
[covered] = client.coverage("XAAA", "2024-01-01", date(2025, 1, 1))
print(covered["years"][0]["reports"])`,
    ["['XAAA', 'XAAB', 'XAAC']", '36'],
  ],
];

describe('client for Python', () => {
  let api: TestApi;
  let proxy: FaultyProxy;
  let env: Readonly<Record<string, string>>;
  const folder = newFolder();
  before(async () => {
    api = await startApiWithReports(generateReports());
    proxy = await startFaultyProxy(api.url);
    env = { URL: proxy.url, KEY: await api.createKey(), SANDBOX: await api.createKey('sandbox') };
    const module = await fetch(`${api.url}/client/python/historical_observations.py`);
    await writeFile(join(folder, 'historical_observations.py'), await module.text());
  });
  after(async () => {
    await proxy?.stop();
    await api?.stop();
  });

  const python = async (code: string, isFromPypi = false) =>
    (await runSnippet({ language: 'python', code }, folder, env, isFromPypi)).trimEnd().split('\n');

  if (usesPypi)
    it('is installed by pip from its folder, with the version of the service', async () => {
      const [target, source] = [join(folder, 'installed'), join(folder, 'source')];
      await cp(FOLDER, source, { recursive: true });
      const options = ['--no-index', '--no-deps', '--no-build-isolation', '--no-compile', '--quiet'];
      const install = ['-m', 'pip', 'install', '--disable-pip-version-check', ...options, '--target', target];
      const builder = pythonWith('setuptools', 'wheel', 'pip') ?? assert.fail('no python3 builds packages');
      await promisify(execFile)(builder, [...install, source]);
      const code = `
import importlib.metadata as metadata, historical_observations as module
print(metadata.version("historical-observations"), module.__version__, module.__file__)`;
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      const { stdout } = await promisify(execFile)(builder, ['-c', code], { env: { PYTHONPATH: target } });
      assert.equal(stdout, `${version} ${version} ${join(target, 'historical_observations.py')}\n`);
    });

  const guide = readFileSync(join(ROOT, 'docs/guide/python.md'), 'utf8');
  const snippets = snippetsOf(guide).map(({ language, code }) => ({
    language,
    codeFor: (url: string) => code.replaceAll('http://127.0.0.1:8080', url),
    readsParquet: code.includes('read_parquet'),
  }));
  for (const [at, { language, codeFor, readsParquet }] of snippets.entries())
    if (language === 'python' && (usesPypi || !readsParquet))
      it(`runs as the guide shows it: ${at}`, async () => {
        assert.match((await python(codeFor(api.url), readsParquet)).join('\n'), /2024-01-01|72|36/);
      });

  for (const [does, code, printed, faults = []] of PROGRAMS)
    it(does, async () => {
      proxy.faults.push(...faults);
      assert.deepEqual(await python(BEGIN + code), printed);
      assert.deepEqual(proxy.faults, []);
    });

  it('asks for pages of 10,000 unless a limit is given, and once for what is refused', async () => {
    const from = proxy.targets.length;
    await python(`${BEGIN}
for options in [{"limit": 20}, {"limit": None}, {"limit": None, "type": "taf"}]:
    try:
        list(walk(**options))
    except ProblemError:
        pass`);
    const limits = proxy.targets.slice(from).map((target) => /&limit=(\d+)/.exec(target)?.[1]);
    assert.deepEqual(limits, ['20', '20', '20', '20', '10000', '10000']);
  });

  it('sends the key to no other host', async () => {
    const other = await startFaultyProxy(api.url);
    proxy.faults.push({ status: 302, location: `${other.url}/v1/history/stations` });
    const code = `${BEGIN}
try:
    list(walk())
except TransportError as error:
    print(error.status)`;
    assert.deepEqual(await python(code), ['302']);
    assert.deepEqual(other.targets, []);
    await other.stop();
  });

  if (usesPypi) {
    it('reads numbers of Parquet that can be subtracted and compared (D65)', async () => {
      const code = `${BEGIN}
import pandas
def read(path):
    headers = {"Authorization": f"Bearer {os.environ['KEY']}"}
    url = f"{os.environ['URL']}/v1/history/{path}&from=2024-01-01T00:00:00Z&to=2024-01-03T00:00:00Z"
    return pandas.read_parquet(url, storage_options=headers)
reports = read("observations.parquet?stations=XAAA&include=decoded")
print((-reports["wspd_kt"]).min(), (reports["pcp1h_in"] >= 0.01).sum())
days = read("statistics.parquet?stations=XAAA&select=count&by=date")
print((days["n"] - days["expected"]).tolist(), days["n"].dtype)
hours = read("hourly.parquet?stations=XAAA&fields=wspd_kt,temp_c")
print((-hours["wspd_kt"]).min(), (hours["n"] - 1).min())`;
      assert.deepEqual(await python(code, true), ['-9.0 1', '[0, -12] int64', '-9.0 -1']);
    });

    it('gives the same frames of pandas as without pyarrow', async () => {
      const [, code = '', lines] = PROGRAMS.find(([does]) => does.startsWith('gives frames')) ?? [];
      assert.deepEqual(await python(BEGIN + code, true), lines);
    });
  }
}).timeout(600_000);
