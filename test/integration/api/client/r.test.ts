import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startApiWithReports, type TestApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import { missingFor } from '../../../support/documents/snippets.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../support/faulty-proxy.ts';

const FROM_SERVICE = `source(paste0(Sys.getenv("SERVICE"), "/client/r/historical_observations.R"))\n`;
const TEXTS = { pk_time: '0255', rwy_state: '01010070' };
const lacks = missingFor({ language: 'r', code: 'library(curl)\nlibrary(jsonlite)' });

/** The guide's snippets are run by the test of all guides. */
describe(`client for R${lacks === undefined ? '' : ` (not tried: this machine lacks ${lacks})`}`, () => {
  let api: TestApi;
  let proxy: FaultyProxy;
  let key: string;
  before(async () => {
    const hours = Array.from({ length: 48 }, (_, n) => new Date(Date.UTC(2024, 0, 1, n)).toISOString());
    api = await startApiWithReports(
      hours.flatMap((at, n) => [
        report({ at, decoded: { temp_c: `${n}.5`, cavok: n > 0, ...(n === 3 && TEXTS) } }),
        report({ at, station: 'XAAB' }),
      ]),
    );
    proxy = await startFaultyProxy(api.url);
    key = await api.createKey();
  });
  after(async () => {
    await proxy.stop();
    await api.stop();
  });

  async function r(code: string): Promise<string> {
    const env = { ...process.env, SERVICE: api.url, HISTORY_URL: proxy.url, KEY: key };
    const run = promisify(execFile)('Rscript', ['-e', FROM_SERVICE + code], { env, timeout: 60_000 });
    return (await run).stdout.trimEnd();
  }

  if (lacks !== undefined) return;

  it('reads pages, days, hours and stations into data frames with types, and warns of days of UTC', async () => {
    const printed = await r(`
HISTORY_PAGE <- 7
reports <- history_observations(c("XAAA", "XAAB"), as.Date("2024-01-01"), "2024-01-03", include = c("raw", "decoded"))
stopifnot(nrow(reports) == 96, !anyDuplicated(reports$id), inherits(reports$observedAt, "POSIXct"))
stopifnot(is.logical(reports$cavok), is.numeric(reports$temp_c), reports$station[1:2] == c("XAAA", "XAAB"))
cat(na.omit(reports$pk_time), na.omit(reports$rwy_state), mean(reports$temp_c[reports$station == "XAAA"]), "\n")
days <- history_daily("XAAA", "2024-01-01", "2024-01-03", tz = "utc")
hours <- history_hourly("XAAA", "2024-01-01", "2024-01-02", fields = "temp_c", tz = "utc")
stopifnot(inherits(days$date, "Date"), inherits(hours$hour, "POSIXct"))
cat(nrow(days), days$n, nrow(hours), hours$temp_c[1], history_stations(stations = c("XAAA", "XAAB"))$station, "\n")
stopifnot(!"vctrs" %in% loadedNamespaces())
withCallingHandlers(history_daily(c("XAAA", "XAAB"), "2024-01-01", "2024-01-03"),
  warning = function(w) { cat(conditionMessage(w)); invokeRestart("muffleWarning") }) -> days`);
    assert.deepEqual(printed.split(' \n'), [
      '0255 01010070 24',
      '2 24 24 24 0.5 XAAA XAAB',
      'days in UTC, as the time zone is unknown: XAAA,XAAB',
    ]);
  });

  it('stops with the text of the service, and repeats what can pass', async () => {
    proxy.faults.push(undefined, 'reset', { status: 503 }, 'cut');
    const printed = await r(`
tryCatch(history_observations("xaaa", "2024-01-01", "2024-01-02"), history_problem = function(problem)
  cat(problem$status, problem$code, problem$errors$parameter, nchar(problem$request_id) > 0, conditionMessage(problem)))
cat(" ", nrow(history_observations("XAAA", "2024-01-01", "2024-01-03")))`);
    assert.match(
      printed,
      /^400 invalid_parameter stations TRUE 400 invalid_parameter: stations .*uppercase ICAO codes.* 48$/s,
    );
    assert.deepEqual(proxy.faults, []);
  });
});
