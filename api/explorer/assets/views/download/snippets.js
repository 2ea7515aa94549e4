import { requestUrl } from '../../requests/api-client.js';

/** Records of one request at most with a key of the plan sandbox (D33). */
const SANDBOX_LIMIT = 10_000;

const NO_LINK = `There is no link, as this period has more than ${SANDBOX_LIMIT.toLocaleString('en')} reports. One request with a key of the plan sandbox can have no more; curl and Python fetch all of them, in parts.`;

/**
 * The request of a view in the forms in which people use it. Each fetches the whole period, and none holds the key. A link is
 * one request, so there is none where one request cannot have the whole.
 *
 * @param {string} origin
 * @param {import('../../state/observation-request.js').ObservationRequest} request
 * @param {string} plan
 * @param {boolean | undefined} isOnePage whether one page of JSON holds the whole period; `undefined` while that is not known
 * @returns {{ texts: Record<string, string>, note: string }}
 */
export function snippets(origin, request, plan, isOnePage) {
  const limit = plan === 'sandbox' ? SANDBOX_LIMIT : undefined;
  const url = requestUrl(origin, '/v1/history/observations.csv', { ...request, limit });
  const file = `${request.stations}-${request.from.slice(0, 10)}-${request.to.slice(0, 10)}.csv`;
  const texts = {
    curl: limit === undefined ? curl(url, file) : curlInParts(url, file),
    python: python(origin, request),
  };
  if (limit === undefined || isOnePage) return { texts: { link: url, ...texts }, note: '' };
  return { texts, note: isOnePage === undefined ? '' : NO_LINK };
}

/** curl waits where the service asks for it (429, 503), and leaves no part of a file. */
const WAITING = '--fail --remove-on-error --retry 20';

/**
 * One request.
 *
 * @param {string} url
 * @param {string} file
 */
function curl(url, file) {
  return [`curl ${WAITING} -o ${file} \\`, '  -H "Authorization: Bearer $KEY" \\', `  '${url}'`].join('\n');
}

/**
 * A request for each part of the period. The header row comes with each part, and goes into the file once.
 *
 * @param {string} url
 * @param {string} file
 */
function curlInParts(url, file) {
  return [
    `(set -e; cursor=; : > ${file}.part`,
    'while :; do',
    `  curl -sS ${WAITING} -o part.csv -D headers.txt \\`,
    '    -H "Authorization: Bearer $KEY" \\',
    `    '${url}'"\${cursor:+&cursor=$cursor}"`,
    `  if [ -z "$cursor" ]; then cat part.csv; else tail -n +2 part.csv; fi >> ${file}.part`,
    "  cursor=$(tr -d '\\r' < headers.txt | sed -n 's/^[Xx]-[Nn]ext-[Cc]ursor: //p' | tail -n 1)",
    '  [ -n "$cursor" ] || break',
    'done',
    `mv ${file}.part ${file}; rm part.csv headers.txt)`,
  ].join('\n');
}

/**
 * The client waits, and reads a range of any length with keys of any plan.
 *
 * @param {string} origin
 * @param {import('../../state/observation-request.js').ObservationRequest} request
 */
function python(origin, { stations, from, to, type, include }) {
  const kind = type === 'all' ? '' : `, type="${type}"`;
  const period = `"${from.slice(0, 10)}", "${to.slice(0, 10)}"`;
  return [
    `# curl -O ${origin}/client/python/historical_observations.py; it needs requests and pandas`,
    'import os',
    'from historical_observations import Client',
    '',
    `client = Client("${origin}", os.environ["KEY"])`,
    `walk = client.observations("${stations}", ${period}${kind}, include="${include}")`,
    'reports = walk.to_pandas()',
    'print(walk.coverage, len(reports))',
  ].join('\n');
}
