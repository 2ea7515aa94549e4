import { html, useState } from '/assets/htm/preact.js';
import { MONTHS } from '../format.js';
import { COLOURS, describeDay } from '../model/days.js';
import { isPhone } from './frame.js';

/**
 * A year as a calendar: a button for each day, in the color of its value. A column is a week on a wide screen, and a
 * row is a month on a narrow one: the style sheet decides.
 *
 * @param {{
 *   days: readonly { date: string, day: import('../model/days.js').Day | undefined }[], colour: string, chosen: string,
 *   whyEmpty: (date: string) => string, onPick: (date: string) => void,
 * }} props
 */
export function Calendar({ days, colour, chosen, whyEmpty, onPick }) {
  const [pointed, setPointed] = useState('');
  const shown = days.find(({ date }) => date === pointed);
  const first = new Date(days[0]?.date ?? 0).getUTCDay();
  /** @param {number} at */
  const place = (at) => ({
    week: Math.floor((at + ((first + 6) % 7)) / 7) + 1,
    weekday: ((at + ((first + 6) % 7)) % 7) + 1,
  });
  const stop = days.some(({ date }) => date === chosen) ? chosen : days[0]?.date;
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const [along, across] = isPhone() ? [1, 30] : [7, 1];
    const step = {
      ArrowLeft: -along,
      ArrowRight: along,
      ArrowUp: -across,
      ArrowDown: across,
      Home: -366,
      End: 366,
    }[event.key];
    const buttons = [.../** @type {Element} */ (event.currentTarget).querySelectorAll('button')];
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (step === undefined || at < 0) return;
    event.preventDefault();
    buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
  };
  return html`<div class="calendar">
    <p class="readout" aria-hidden="true">
      ${shown === undefined ? html`<${CalendarKey} colour=${colour} />` : html`<time>${shown.date}</time> ${shown.day === undefined || shown.day.n === 0 ? whyEmpty(shown.date) : describeDay(colour, shown.day)}`}
    </p>
    <div class=${`days ${colour}`} role="group" aria-label="Days of ${days[0]?.date.slice(0, 4)}" onKeyDown=${press} onPointerLeave=${() => setPointed('')}>
      ${MONTHS.map((month, at) => {
        const begin = days.findIndex(({ date }) => Number(date.slice(5, 7)) === at + 1);
        return html`<span class="month" aria-hidden="true" style=${{ '--week': place(begin).week + (place(begin).weekday > 1 ? 1 : 0), '--month': at + 1 }}>${month}</span>`;
      })}
      ${days.map(({ date, day }, at) => {
        const { week, weekday } = place(at);
        const isHeld = day !== undefined && day.n > 0;
        const value = isHeld ? COLOURS[colour]?.value(day) : undefined;
        const share = value === undefined ? undefined : COLOURS[colour]?.share(value);
        const text = isHeld ? describeDay(colour, day) : whyEmpty(date);
        return html`<button
          key=${date}
          type="button"
          data-day=${date}
          class=${`day ${kindOf(isHeld, share)}`}
          aria-label=${`${date}: ${text}`}
          aria-pressed=${date === chosen}
          tabindex=${date === stop ? 0 : -1}
          disabled=${text === 'in the future'}
          style=${{ '--week': week, '--weekday': weekday, '--month': Number(date.slice(5, 7)), '--day': Number(date.slice(8)), '--share': `${Math.round(Math.min(1, Math.abs(share ?? 0)) * 100)}%` }}
          onClick=${() => onPick(date)}
          onFocus=${() => setPointed(date)}
          onPointerEnter=${() => setPointed(date)}
        ></button>`;
      })}
    </div>
  </div>`;
}

/** @param {boolean} isHeld @param {number | undefined} share */
function kindOf(isHeld, share) {
  if (!isHeld) return 'missing';
  if (share === undefined) return 'unreported';
  return share < 0 ? 'cold' : 'warm';
}

/** The color scale. @param {{ colour: string }} props */
function CalendarKey({ colour }) {
  const { ends, unit } = COLOURS[colour] ?? { ends: ['', ''], unit: '' };
  return html`<span class="key">
    <span class="scale ${colour === 'temperature' ? 'both' : ''}">${ends[0]}<i></i>${ends[1]} ${unit}</span>
    <span><i class="day missing"></i> no report</span>
  </span>`;
}
