import { DATABASE } from '../../embedded-engine.ts';
import type { HttpClient } from '../../http-client.ts';
import { type PartRange, TEMPLATE_DAYS, TEMPLATE_START } from './layout.ts';
import { TEMPLATE_DATABASE } from './templates.ts';

/** One block makes one part. Rows are read station by station and hour by hour, which saves sorting the projection. */
const SETTINGS =
  'max_threads=1&max_insert_threads=1&join_algorithm=hash&query_plan_join_swap_table=false' +
  '&min_insert_block_size_rows=100000000&min_insert_block_size_bytes=100000000000&wait_end_of_query=1';

/**
 * Copies the reports of one range of days to the stations of the archive. The stored text of a template has no station and
 * time of its own; what follows them begins at character 19.
 *
 * @returns how many reports were written
 */
export async function copyReports(http: HttpClient, { firstDay, endDay }: PartRange): Promise<number> {
  const { headers } = await http.query(
    `INSERT INTO ${DATABASE}.observations
SELECT report.* REPLACE (
    copyStation AS station,
    copyTime AS observedAt,
    reinterpretAsUInt32(reverse(substring(SHA256(body), 1, 4))) AS fingerprint)
EXCEPT (copyStation, copyTime, body)
FROM
(
    SELECT
        original.*,
        copyStation,
        toDateTime(copied.day, 'UTC') + toUnixTimestamp(original.observedAt) % 86400 AS copyTime,
        concat(copyStation, ' ', formatDateTime(copyTime, '%d%H%iZ'), substring(original.text, 19)) AS body
    FROM
    (
        SELECT
            station AS copyStation,
            template,
            hours,
            day::UInt16::Date AS day,
            (day + shift) % ${TEMPLATE_DAYS} AS templateDay
        FROM ${TEMPLATE_DATABASE}.copies
        ARRAY JOIN range(
            toUInt32(greatest(firstDay, toDate('${firstDay}'))),
            toUInt32(greatest(firstDay, toDate('${firstDay}'), least(endDay, toDate('${endDay}'))))) AS day
    ) AS copied
    INNER JOIN ${TEMPLATE_DATABASE}.observations AS original
        ON original.station = copied.template
        AND toUInt32(toDate(original.observedAt) - toDate('${TEMPLATE_START}')) = copied.templateDay
    WHERE toHour(original.observedAt) < copied.hours
) AS report`,
    SETTINGS,
  );
  return Number(JSON.parse(String(headers['x-clickhouse-summary'])).written_rows);
}
