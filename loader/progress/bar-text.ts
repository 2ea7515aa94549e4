import { formatDuration } from '../wording.ts';
import type { ProgressState } from './display.ts';

const MIN_BAR = 8;
const MAX_BAR = 40;

/** Columns that stay empty: a terminal prints `^C` and its cursor there, and would wrap the line without them. */
const FREE_COLUMNS = 3;

/** One line, never wider than the terminal: a bar, then as many details as fit. */
export function barText(
  { name, ...state }: ProgressState & { /** With a blank after it; may be empty. */ readonly name: string },
  columns: number,
): string {
  const { total, finished } = state;
  const available = columns - FREE_COLUMNS - name.length - 1;
  let text = `${finished}/${total} ${state.unit} · ${timeLeft(state)}`;
  for (const detail of state.details) {
    const longer = `${text} · ${detail}`;
    if (MIN_BAR + longer.length > available) break;
    text = longer;
  }
  const width = Math.min(MAX_BAR, Math.max(MIN_BAR, available - text.length));
  const full = total === 0 ? width : Math.min(width, Math.floor((width * finished) / total));
  return `${name}${'█'.repeat(full)}${'░'.repeat(width - full)} ${text}`.slice(0, columns - FREE_COLUMNS);
}

export function timeLeft({
  total,
  finished,
  elapsedSeconds,
}: Pick<ProgressState, 'total' | 'finished' | 'elapsedSeconds'>): string {
  if (finished >= total) return 'done';
  if (finished === 0) return '? left';
  return `${formatDuration((elapsedSeconds / finished) * (total - finished))} left`;
}
