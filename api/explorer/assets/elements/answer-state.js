import { ProblemError, TransportError } from '/assets/client/observations.js';
import { html } from '/assets/htm/preact.js';

/** Statuses after which the same request may soon succeed. */
const TEMPORARY = [429, 502, 503, 504];

/**
 * Shows an answer: its content, a skeleton of the same size while loading, or why there is none.
 *
 * @param {{ answer: import('../model/answers.js').Answer<unknown>, height: number, children: unknown }} props
 */
export function AnswerState({ answer, height, children }) {
  const { data, error, isLoading, waitSeconds, again } = answer;
  const isMissing = error === undefined && data === undefined && isLoading;
  // Always the same element: if it changed, Preact would remove its neighbors and put them back.
  return html`<div class="answer" style=${error !== undefined || isMissing ? { minHeight: `${height}px` } : {}}>
    ${error !== undefined && html`<div class="failure" role="alert"><${Failure} error=${error} again=${again} /></div>`}
    ${isMissing && html`<p class="skeleton" style=${{ height: `${height}px` }} role="status"><span>${waitSeconds === undefined ? 'Loading. This usually takes less than a second.' : `The limit of the plan is reached: waiting ${waitSeconds} s.`}</span></p>`}
    ${error === undefined && !isMissing && children}
  </div>`;
}

/** @param {{ error: unknown, again: () => void }} props */
function Failure({ error, again }) {
  const { title, detail } = describe(error);
  return html`<p><strong>${title}</strong> ${detail}</p>
    ${isTemporary(error) && html`<button type="button" onClick=${again}>Try again</button>`}`;
}

/** @param {unknown} error */
function isTemporary(error) {
  return error instanceof ProblemError ? TEMPORARY.includes(error.status) : error instanceof TransportError;
}

/** @param {unknown} error */
export function describe(error) {
  if (error instanceof ProblemError) {
    // If only one parameter is wrong, the detail of the problem describes it.
    const reasons = error.errors.length > 1 ? error.errors : [];
    return {
      title: error.title,
      detail: `${error.detail}${reasons.map(({ parameter, detail }) => ` ${parameter} ${detail}.`).join('')}`,
    };
  }
  if (error instanceof TransportError) return { title: 'No response', detail: error.message };
  return { title: 'The page failed', detail: String(error) };
}
