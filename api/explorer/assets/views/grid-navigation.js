/**
 * The keyboard in a table of cells: one cell is in the tab order, arrows move between cells, Enter and Space pick one
 * (the pattern "grid" of the ARIA Authoring Practices).
 *
 * @param {HTMLTableElement} table whose cells that can be picked have the attribute `data-cell`
 * @param {(cell: HTMLElement) => void} onPick
 */
export function navigateGrid(table, onPick) {
  table.addEventListener('keydown', (event) => {
    const cell = cellOf(event.target);
    if (cell === undefined) return;
    if (event.key === 'Enter' || event.key === ' ') onPick(cell);
    else {
      const next = neighbour(cell, event.key);
      if (next === undefined) return;
      setTabStop(table, next);
      next.focus();
    }
    event.preventDefault();
  });
  table.addEventListener('click', (event) => {
    const cell = cellOf(event.target);
    if (cell === undefined) return;
    setTabStop(table, cell);
    onPick(cell);
  });
}

/**
 * Puts one cell of the table in the tab order.
 *
 * @param {HTMLTableElement} table
 * @param {HTMLElement | null} [cell] the first, unless another is given
 */
export function setTabStop(table, cell = table.querySelector('[data-cell]')) {
  for (const each of table.querySelectorAll('[data-cell][tabindex="0"]')) each.setAttribute('tabindex', '-1');
  cell?.setAttribute('tabindex', '0');
}

/** @param {EventTarget | null} target */
function cellOf(target) {
  const cell = target instanceof Element ? target.closest('[data-cell]') : null;
  return cell instanceof HTMLElement ? cell : undefined;
}

/**
 * @param {HTMLElement} cell
 * @param {string} key
 */
function neighbour(cell, key) {
  const row = cell.closest('tr');
  const cells = cellsOf(row);
  const at = cells.indexOf(cell);
  switch (key) {
    case 'ArrowRight':
      return cells[at + 1];
    case 'ArrowLeft':
      return cells[at - 1];
    case 'Home':
      return cells[0];
    case 'End':
      return cells.at(-1);
    case 'ArrowDown':
      return cellsOf(row?.nextElementSibling).at(at) ?? cellsOf(row?.nextElementSibling).at(-1);
    case 'ArrowUp':
      return cellsOf(row?.previousElementSibling).at(at) ?? cellsOf(row?.previousElementSibling).at(-1);
    default:
      return undefined;
  }
}

/** @param {Element | null | undefined} row */
function cellsOf(row) {
  return [...(row?.querySelectorAll('[data-cell]') ?? [])].filter((cell) => cell instanceof HTMLElement);
}
