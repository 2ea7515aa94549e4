import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { STATIONS, ZONES } from './random-reports.ts';
import { standardShift } from './standard-shift.ts';

/** The parameters of a question, as a client writes them. */
export type QuestionText = {
  readonly stations: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly select: string;
  readonly by?: string;
  readonly sample: 'hourly' | 'all';
  readonly tz: string;
  readonly filter?: string;
};

type Row = Readonly<Record<string, unknown>>;

/** Answers to questions by DuckDB, over the lines that the service sends of the same records. */
export type DuckdbAnswers = {
  answer(question: QuestionText): Promise<readonly Row[]>;
  close(): void;
};

/** The columns of the records that questions name. `ceiling` is that of conditions, without an end where the sky has none. */
const RECORDS = `
CREATE TABLE reports AS
WITH lines AS (
  SELECT station, id, type, strptime(observedAt, '%Y-%m-%dT%H:%M:%SZ') AS observed, d.*
  FROM (
    SELECT *, from_json(decoded, '{"temp_c":"DOUBLE","dewp_c":"DOUBLE","wdir":"DOUBLE","wdir_vrb":"BOOLEAN",
      "wspd_kt":"DOUBLE","wgst_kt":"DOUBLE","visib_m":"DOUBLE","wx":"VARCHAR","vvis_ft":"DOUBLE","cavok":"BOOLEAN",
      "clouds":[{"cover":"VARCHAR","base_ft":"DOUBLE"}],"altim_hpa":"DOUBLE","slp_hpa":"DOUBLE","pcp1h_in":"DOUBLE",
      "fltcat":"VARCHAR","nil":"BOOLEAN"}') AS d
    FROM read_ndjson('$file', columns = {station: 'VARCHAR', id: 'VARCHAR', type: 'VARCHAR', observedAt: 'VARCHAR', decoded: 'JSON'})
  )
  WHERE coalesce(d.nil, false) = false
),
layers AS (
  SELECT *, list_filter(clouds, layer -> layer.cover IN ('BKN', 'OVC')) AS ceilings FROM lines
)
SELECT * EXCLUDE (ceilings),
  CASE
    WHEN vvis_ft IS NOT NULL THEN vvis_ft
    WHEN clouds IS NULL AND cavok THEN 'inf'::DOUBLE
    WHEN clouds IS NULL THEN NULL
    WHEN len(ceilings) = 0 THEN 'inf'::DOUBLE
    WHEN len(list_filter(ceilings, layer -> layer.base_ft IS NULL)) > 0 THEN NULL
    ELSE list_min(list_transform(ceilings, layer -> layer.base_ft))
  END AS ceiling,
  CASE WHEN isinf(ceiling) THEN NULL ELSE ceiling END AS ceiling_ft,
  round(100 * exp(17.62 * dewp_c / (243.12 + dewp_c) - 17.62 * temp_c / (243.12 + temp_c)), 1) AS rh_pct
FROM layers`;

export async function openDuckdbAnswers(lines: Buffer): Promise<DuckdbAnswers> {
  const folder = await mkdtemp(join(tmpdir(), 'statistics-'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const file = join(folder, 'records.ndjson');
    await writeFile(file, lines);
    await connection.run("SET TimeZone = 'UTC'");
    await connection.run(RECORDS.replace('$file', file));
  } finally {
    await rm(folder, { recursive: true });
  }
  return {
    answer: (question) => answer(connection, question),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

type Group = {
  readonly name: string;
  readonly sql: string;
  readonly print: string;
  readonly isCalendar: boolean;
};

async function answer(connection: DuckDBConnection, question: QuestionText): Promise<readonly Row[]> {
  const { stations, sample, tz, filter } = question;
  const [from, to] = [question.from, question.to].map((time) => `TIMESTAMP '${time.slice(0, 19)}'`);
  const groups = splitAtCommas(question.by ?? '').map((item, _, all) =>
    toGroup(item, all.includes('season')),
  );
  const values = splitAtCommas(question.select).map(toValue);
  const hour = "date_trunc('hour', observed + INTERVAL 10 MINUTE)";
  const time = sample === 'hourly' ? hour : 'observed';
  const first =
    sample === 'hourly'
      ? `QUALIFY row_number() OVER (PARTITION BY station, ${hour} ORDER BY observed, id) = 1`
      : '';
  const list = stations.map((station) => `'${station}'`).join();
  const local = localSql(tz);
  const isCalendarAlone = groups.every(({ isCalendar }) => isCalendar);
  const slots =
    sample === 'hourly'
      ? `date_trunc('hour', ${from} + INTERVAL 3599 SECOND), ${to}, INTERVAL 1 HOUR`
      : `time_bucket(INTERVAL 15 MINUTE, ${from}), ${to}, INTERVAL 15 MINUTE`;
  const keys = groups.map((_, n) => `g${n}`);
  const calendarKeys = groups.flatMap(({ isCalendar }, n) => (isCalendar ? [`g${n}`] : []));
  const definitions = (some: readonly Group[]) =>
    some.map((group) => `, ${group.sql} AS g${groups.indexOf(group)}`).join('');
  const sql = `
WITH sampled AS (
  SELECT * FROM reports
  WHERE station IN (${list}) ${sample === 'hourly' ? "AND type = 'METAR'" : ''}
    AND ${time} >= ${from} AND ${time} < ${to}
  ${first}
),
filtered AS (
  SELECT *, ${local.replace('$time', time)} AS local FROM sampled ${filter === undefined ? '' : `WHERE ${toSql(filter)}`}
),
results AS (
  SELECT station${definitions(groups)}, count(*) AS n ${values.map(({ sql }, n) => `, ${sql} AS v${n}`).join('')}
  FROM filtered
  GROUP BY ALL
),
calendar AS (
  SELECT station${definitions(groups.filter(({ isCalendar }) => isCalendar))}, count(*) AS expected
  FROM (
    SELECT *, ${local.replace('$time', 'slot')} AS local
    FROM range(${slots}) AS slots(slot),
      (SELECT unnest([${list}]) AS station)
  )
  GROUP BY ALL
)
SELECT station ${groups.map(({ print, name }, n) => `, ${print.replaceAll('$key', `g${n}`)} AS ${name}`).join('')},
  coalesce(n, 0) AS n ${sample === 'hourly' ? ', expected' : ''}
  ${values.map(({ name, isCount }, n) => `, ${isCount ? `coalesce(v${n}, 0)` : `v${n}`} AS ${name}`).join('')}
FROM calendar ${isCalendarAlone ? 'LEFT' : 'RIGHT'} JOIN results USING (${['station', ...calendarKeys].join()})
ORDER BY ${['station', ...keys.map((key) => `${key} NULLS LAST`)].join()}`;
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  return rows.map(withoutNulls);
}

/** The zone of each station, or a shift. */
function localSql(tz: string): string {
  const zoneOf = (station: string) => ZONES[station as keyof typeof ZONES][0];
  const cases = (value: (station: string) => string) =>
    `CASE station ${STATIONS.map((station) => `WHEN '${station}' THEN ${value(station)}`).join(' ')} END`;
  if (tz === 'standard')
    return `$time + to_seconds(${cases((station) => String(standardShift(zoneOf(station))))})`;
  const zone = tz === 'local' ? cases((station) => `'${zoneOf(station)}'`) : `'${tz === 'utc' ? 'UTC' : tz}'`;
  return `timezone(${zone}, timezone('UTC', $time))`;
}

function toGroup(item: string, hasSeason: boolean): Group {
  const [, of = '', argument = ''] = /^(\w+)(?:\((.*)\))?$/.exec(item) ?? [];
  const calendar = (sql: string, print = '$key') => ({ name: of, sql, print, isCalendar: true });
  switch (of) {
    case 'year':
      return calendar(hasSeason ? 'year(local + INTERVAL 1 MONTH)' : 'year(local)');
    case 'season':
      return calendar('(month(local) % 12) // 3', "['DJF', 'MAM', 'JJA', 'SON'][$key + 1]");
    case 'month':
      return calendar('month(local)');
    case 'hour':
      return calendar('hour(local)');
    case 'date':
      return calendar('local::DATE', "strftime($key, '%Y-%m-%d')");
    case 'wind_sector': {
      const sectors = Number(argument);
      return {
        name: of,
        sql: `CASE WHEN wspd_kt = 0 THEN 200 WHEN wdir_vrb THEN 201 ELSE (floor((wdir + ${180 / sectors}) / ${360 / sectors})::INT) % ${sectors} END`,
        print: `CASE $key WHEN 200 THEN 'calm' WHEN 201 THEN 'variable' ELSE $key::VARCHAR END`,
        isCalendar: false,
      };
    }
    case 'class': {
      const [field = '', ...bounds] = argument.split(';');
      const value = toSql(field);
      const sql = `CASE WHEN ${value} IS NOT NULL THEN ${bounds.map((bound) => `(${value} >= ${bound})::INT`).join(' + ')} END`;
      return { name: `class_${field}`, sql, print: '$key', isCalendar: false };
    }
    default:
      return {
        name: of,
        sql: `list_position(['VFR', 'MVFR', 'IFR', 'LIFR'], ${of})`,
        print: `['VFR', 'MVFR', 'IFR', 'LIFR'][$key]`,
        isCalendar: false,
      };
  }
}

type Value = { readonly name: string; readonly sql: string; readonly isCount: boolean };

function toValue(item: string): Value {
  const [, named, of = '', argument = ''] = /^(?:(\w+):)?(\w+)(?:\((.*)\))?$/.exec(item) ?? [];
  const name = named ?? (argument === '' ? of : `${of}_${argument}`);
  const value = (sql: string, isCount = false) => ({ name, sql, isCount });
  const condition = toSql(argument);
  if (/^p\d+$/.test(of)) return value(`quantile_cont(${argument}, ${Number(of.slice(1)) / 100})`);
  switch (of) {
    case 'count':
      return value(argument === '' ? 'count(*)' : `count(*) FILTER (WHERE ${condition})`, true);
    case 'days':
      return value(`count(DISTINCT local::DATE) FILTER (WHERE ${condition})`, true);
    case 'share':
      return value(`avg(CASE WHEN (${condition}) THEN 1.0 WHEN NOT (${condition}) THEN 0.0 END)`);
    case 'mean':
      return value(`avg(${argument})`);
    case 'stddev':
      return value(`stddev_samp(${argument})`);
    case 'median':
      return value(`quantile_cont(${argument}, 0.5)`);
    case 'time_of_max':
    case 'time_of_min': {
      const order = `${argument} ${of === 'time_of_max' ? 'DESC' : 'ASC'}, observed`;
      return value(
        `strftime(first(observed ORDER BY ${order}) FILTER (WHERE ${argument} IS NOT NULL), '%Y-%m-%dT%H:%M:%SZ')`,
      );
    }
    default:
      return value(`${of}(${argument})`);
  }
}

/** CQL2 is SQL, but for the ceiling of conditions. */
function toSql(condition: string): string {
  return condition.replaceAll('ceiling_ft', 'ceiling');
}

function splitAtCommas(list: string): readonly string[] {
  return list === '' ? [] : list.split(/,(?![^(]*\))/);
}

function withoutNulls(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name,
        typeof value === 'string' && /^-?\d+$/.test(value) && name !== 'wind_sector' ? Number(value) : value,
      ]),
  );
}
