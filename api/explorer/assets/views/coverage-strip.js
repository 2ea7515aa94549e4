import { html } from '/assets/htm/preact.js';
import { AnswerState } from '../elements/answer-state.js';
import { describeYear, FIRST_YEAR, shareDone } from '../model/coverage.js';
import { change } from '../navigation.js';

/**
 * How complete each year is, as a strip for choosing the year.
 *
 * @param {{
 *   coverage: import('../model/coverage.js').Coverage | undefined, year: string,
 *   answer: import('../model/answers.js').Answer<unknown>,
 * }} props
 */
export function CoverageStrip({ coverage, year, answer }) {
  const years = Array.from(
    { length: new Date().getUTCFullYear() - FIRST_YEAR + 1 },
    (_, at) => FIRST_YEAR + at,
  );
  return html`<nav class="years" aria-label="Years">
    <${AnswerState} answer=${answer} height=${46}>
      <ul>
        ${years.map((each) => {
          const held = coverage?.years.find((row) => row.year === each);
          const share = shareDone(held);
          const text = `${each}: ${describeYear(held)}`;
          return html`<li><button type="button" aria-pressed=${String(each) === year} aria-label=${text} title=${text} onClick=${() => change({ year: String(each), years: [] })}>
            <i style=${{ '--share': `${share === undefined ? 0 : share === 0 ? 0 : Math.max(8, share * 100)}%` }}></i>${each}</button></li>`;
        })}
      </ul>
    <//>
  </nav>`;
}
