import { element } from '../../element.js';
import { readFieldMeanings } from '../../requests/field-meanings.js';

const ROWS = 20;

/**
 * The reports as they were sent, with their decoded fields beside them.
 *
 * @param {HTMLTableSectionElement} body
 * @param {HTMLButtonElement} moreButton
 */
export function createReportsTable(body, moreButton) {
  /** @type {readonly import('../../../../client/client.d.ts').Observation[]} */
  let shown = [];
  const meanings = readFieldMeanings();
  /** @param {HTMLTableRowElement} row */
  const explain = async (row) => {
    const of = await meanings;
    for (const name of row.querySelectorAll('dt')) name.title = of[name.textContent ?? ''] ?? '';
  };
  const more = () => {
    const at = body.rows.length;
    const rows = shown.slice(at, at + ROWS).map(row);
    body.append(...rows);
    for (const added of rows) void explain(added);
    moreButton.hidden = body.rows.length >= shown.length;
    moreButton.textContent = `Show more reports (${(shown.length - body.rows.length).toLocaleString('en')} left)`;
  };
  moreButton.addEventListener('click', more);
  return {
    /** @param {readonly import('../../../../client/client.d.ts').Observation[]} records */
    show(records) {
      shown = records;
      body.replaceChildren();
      more();
    },
  };
}

/** @param {import('../../../../client/client.d.ts').Observation} record */
function row({ observedAt, type, raw = '', decoded, parseStatus }) {
  const time = element('time', { datetime: observedAt }, observedAt.slice(0, 16).replace('T', ' '));
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, time, ' ', element('span', { class: 'type', 'data-type': type }, type)),
    element('td', {}, element('code', {}, raw)),
    element('td', {}, decoded === undefined ? notDecoded(parseStatus) : fields(decoded)),
  );
}

/** @param {string} parseStatus */
function notDecoded(parseStatus) {
  const reason = parseStatus === 'failed' ? 'a group could not be explained' : 'not decoded yet';
  return element('span', { class: 'muted' }, `${parseStatus}: ${reason}`);
}

/** @param {object} decoded */
function fields(decoded) {
  const pairs = Object.entries(decoded).map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, formatValue(value))),
  );
  return element('dl', { class: 'fields' }, ...pairs);
}

/**
 * A list of objects as `BKN 1200; OVC 3000`.
 *
 * @param {unknown} value
 */
function formatValue(value) {
  if (!Array.isArray(value)) return String(value);
  return value.map((item) => Object.values(item).join(' ')).join('; ');
}
