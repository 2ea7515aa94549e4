import { pathOf } from './requests.js';

/** curl waits when the service asks it to (429, 503) and leaves no partial file. */
const WAITING = '--fail --remove-on-error --retry 20';

/**
 * A request in the forms that people use. None contains the key.
 *
 * @param {string} origin
 * @param {import('./requests.js').Ask} ask
 * @param {boolean} isInParts whether the user's plan allows large answers only in parts
 */
export function snippets(origin, ask, isInParts) {
  const { path, parameters } = ask;
  const isOfReports = path.endsWith('/observations');
  const { limit: _, ...whole } = parameters;
  const wanted = { path, parameters: isOfReports && !isInParts ? whole : parameters };
  const file = `${parameters.stations}-${path.split('/').at(-1)}.csv`;
  return {
    url: origin + pathOf(wanted, isOfReports && !isInParts ? '.csv' : ''),
    curl: [
      `curl ${WAITING} -o ${file} \\`,
      '  -H "Authorization: Bearer $KEY" \\',
      `  '${origin}${pathOf(wanted, '.csv')}'`,
    ].join('\n'),
    python: python(origin, path.split('/').at(-1) ?? '', whole),
  };
}

/**
 * The client waits as needed and reads a range of any length with keys of any plan.
 *
 * @param {string} origin
 * @param {string} name of the endpoint
 * @param {import('./requests.js').Ask['parameters']} parameters
 */
function python(origin, name, { stations, from, to, ...others }) {
  const more = Object.entries(others).map(([key, value]) => `, ${key}=${JSON.stringify(String(value))}`);
  const period = `${JSON.stringify(String(from))}, ${JSON.stringify(String(to))}`;
  return [
    `# curl -O ${origin}/client/python/historical_observations.py; it needs requests and pandas`,
    'import os',
    'from historical_observations import Client',
    '',
    `client = Client("${origin}", os.environ["KEY"])`,
    `answer = client.${name}("${stations}", ${period}${more.join('')})`,
    'frame = answer.to_pandas()',
    'print(answer.coverage, len(frame))',
  ].join('\n');
}
