import { html, useState } from '/assets/htm/preact.js';
import { formatNumber, MONTHS } from '../format.js';
import { COLORS, describeDay, shareOfColor } from '../model/days.js';
import { isPhone } from './chart.js';

/** @import { Day } from '../declarations.ts' */

/**
 * A year as a calendar: a button for each day, in the color of its value. A column is a week on a wide screen, and a
 * row is a month on a narrow one: the style sheet decides.
 *
 * @param {{
 *   days: readonly { date: string, day: Day | undefined }[], color: string, chosen: string,
 *   whyEmpty: (date: string) => string, onPick: (date: string) => void,
 * }} props
 */
export function Calendar({ days, color, chosen, whyEmpty, onPick }) {
  const [pointed, setPointed] = useState('');
  const firstDate = days[0]?.date ?? '';
  /** Days since the Monday of the first week. @param {number} at */
  const since = (at) => at + ((new Date(firstDate).getUTCDay() + 6) % 7);
  const stop = days.some(({ date }) => date === chosen) ? chosen : firstDate;
  /** @param {{ date: string, day: Day | undefined }} day */
  const textOf = ({ date, day }) => (day?.n ? describeDay(color, day) : whyEmpty(date));
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const [x, y] = isPhone() ? [1, 30] : [7, 1];
    const step = { ArrowLeft: -x, ArrowRight: x, ArrowUp: -y, ArrowDown: y, Home: -366, End: 366 }[event.key];
    const buttons = [.../** @type {Element} */ (event.currentTarget).querySelectorAll('button')];
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (step === undefined || at < 0) return;
    event.preventDefault();
    buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
  };
  const shown = days.find(({ date }) => date === pointed);
  return html`<div class="calendar">
    <p class="readout" aria-hidden="true">
      ${shown === undefined ? html`<${CalendarKey} color=${color} />` : html`<time>${shown.date}</time> ${textOf(shown)}`}
    </p>
    <div class=${`days ${color}`} role="group" aria-label="Days of ${firstDate.slice(0, 4)}" onKeyDown=${press} onPointerLeave=${() => setPointed('')}>
      ${MONTHS.map((month, at) => {
        const begin = days.findIndex(({ date }) => Number(date.slice(5, 7)) === at + 1);
        // The first whole week.
        return html`<span class="month" aria-hidden="true" style=${{ '--week': Math.ceil(since(begin) / 7) + 1, '--month': at + 1 }}>${month}</span>`;
      })}
      ${days.map(({ date, day }, at) => {
        const share = day?.n ? shareOfColor(color, day) : undefined;
        const place = {
          '--week': Math.floor(since(at) / 7) + 1,
          '--weekday': (since(at) % 7) + 1,
          '--month': Number(date.slice(5, 7)),
          '--day': Number(date.slice(8)),
          '--share': `${Math.round(Math.min(1, Math.abs(share ?? 0)) * 100)}%`,
        };
        const text = textOf({ date, day });
        return html`<button key=${date} type="button" data-day=${date} style=${place}
          class=${`day ${!day?.n ? 'missing' : share === undefined ? 'unreported' : share < 0 ? 'cold' : 'warm'}`}
          aria-label=${`${date}: ${text}`} aria-pressed=${date === chosen} tabindex=${date === stop ? 0 : -1} disabled=${text === 'in the future'}
          onClick=${() => onPick(date)} onFocus=${() => setPointed(date)} onPointerEnter=${() => setPointed(date)}></button>`;
      })}
    </div>
  </div>`;
}

/** The color scale. @param {{ color: string }} props */
function CalendarKey({ color }) {
  const { ends: [from, to] = [0, 0], unit = '' } = COLORS[color] ?? {};
  return html`<span class="key">
    <span class="scale ${from < 0 ? 'both' : ''}">${formatNumber(from)}<i></i>${formatNumber(to)} ${unit}</span>
    <span><i class="day missing"></i> no report</span>
  </span>`;
}
