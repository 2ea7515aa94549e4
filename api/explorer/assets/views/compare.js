import { html, useState } from '/assets/htm/preact.js';
import { MOST_ENTRIES } from '../model/address.js';
import { change } from '../navigation.js';

/** The compared entries by letter, and a field that adds a station or a year. @param {{ address: import('../model/address.js').Address, entries: readonly import('../model/entries.js').Entry[], year: string }} props */
export function Compare({ address, entries, year }) {
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState('');
  const others = entries.slice(1);
  /** @param {Event} event */
  const add = (event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (
      /** @type {HTMLFormElement} */ (event.currentTarget).elements.namedItem('other')
    );
    const text = input.value.trim().toUpperCase();
    const isYear = /^(19|20)\d\d$/.test(text);
    if (!isYear && !/^[A-Z][A-Z0-9]{3}$/.test(text))
      return setProblem('Write the code of a station, as in EGLL, or a year.');
    setProblem('');
    input.value = '';
    // A comparison is of stations or of years, not both.
    if (isYear) return change({ years: [...new Set([...address.years, text])], with: [], year });
    return change({ with: [...new Set([...address.with, text])], years: [] });
  };
  /** @param {import('../model/entries.js').Entry} entry */
  const remove = (entry) =>
    entry.years === 0
      ? change({ with: address.with.filter((each) => each !== entry.station) })
      : change({ years: address.years.filter((each) => each !== entry.label) });
  return html`<div class="compare">
    ${others.length > 0 && entries.map((entry) => html`<span class="chip ${`entry-${entry.letter}`}"><i></i>${entry.label}${!entry.isMain && html`<button type="button" aria-label=${`Without ${entry.label}`} onClick=${() => remove(entry)}>×</button>`}</span>`)}
    ${
      entries.length < MOST_ENTRIES &&
      html`<button type="button" class="link" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>Compare</button>
        ${
          isOpen &&
          html`<form onSubmit=${add}>
            <input name="other" aria-label="Station or year to compare" placeholder="EGLL or 2012" maxlength="4" size="10" autocomplete="off" spellcheck="false" ref=${(/** @type {HTMLElement | null} */ field) => field?.focus()} />
            <button type="submit">Add</button>
            ${problem && html`<p role="alert">${problem}</p>`}
          </form>`
        }`
    }
  </div>`;
}
