import { requestUrl } from '../requests/api-client.js';

/**
 * The request of a view in the forms in which people use it. No form holds the key.
 *
 * @param {string} origin
 * @param {import('../state/observation-request.js').ObservationRequest} request
 */
export function snippets(origin, request) {
  const url = requestUrl(origin, '/v1/history/observations', request);
  return {
    link: url,
    curl: `curl -s -H "Authorization: Bearer $KEY" \\\n  '${url}'`,
    python: python(origin, request),
  };
}

/**
 * @param {string} origin
 * @param {import('../state/observation-request.js').ObservationRequest} request
 */
function python(origin, request) {
  const parameters = Object.entries(request).map(([name, value]) => `    "${name}": "${value}",`);
  return [
    'import os',
    'import pandas as pd',
    'import requests',
    '',
    `url = "${origin}/v1/history/observations"`,
    `headers = {"Authorization": f"Bearer {os.environ['KEY']}"}`,
    'parameters = {',
    ...parameters,
    '}',
    'records = []',
    'while True:',
    '    response = requests.get(url, params=parameters, headers=headers, timeout=60)',
    '    response.raise_for_status()',
    '    page = response.json()',
    '    records += page["data"]',
    '    if not page["meta"]["hasMore"]:',
    '        break',
    '    parameters["cursor"] = page["meta"]["nextCursor"]',
    '',
    'table = pd.json_normalize(records)',
    'print(page["meta"]["coverage"]["status"], len(table))',
  ].join('\n');
}
