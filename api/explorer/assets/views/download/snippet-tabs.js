import { element } from '../../element.js';

const TITLES = { link: 'Link', curl: 'curl', python: 'Python' };

/**
 * The request as a link, as curl and as Python, in tabs (the pattern "tabs" of the ARIA Authoring Practices).
 *
 * @param {HTMLElement} container
 */
export function createSnippetTabs(container) {
  const text = element('code');
  const panel = element('div', { role: 'tabpanel', id: 'snippet', tabindex: 0 }, element('pre', {}, text));
  const note = element('p', { class: 'muted' });
  const copy = element('button', { type: 'button' }, 'Copy');
  const tabs = Object.entries(TITLES).map(([name, title]) =>
    element(
      'button',
      { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'snippet', 'data-name': name },
      title,
    ),
  );
  const list = element('div', { role: 'tablist', 'aria-label': 'Request' }, ...tabs);
  container.replaceChildren(element('div', { class: 'title-line' }, list, copy), panel, note);
  /** @type {Record<string, string>} */
  let texts = {};
  /** @param {HTMLElement | undefined} selected */
  const select = (selected) => {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === selected));
      tab.setAttribute('tabindex', tab === selected ? '0' : '-1');
    }
    panel.setAttribute('aria-labelledby', selected?.id ?? '');
    const name = selected?.dataset.name ?? '';
    text.textContent = texts[name] ?? '';
  };
  const offered = () => tabs.filter((tab) => !tab.hidden);
  list.addEventListener('click', ({ target }) => select(tabs.find((tab) => tab === target) ?? offered()[0]));
  list.addEventListener('keydown', ({ key, target }) => {
    const at = offered().indexOf(/** @type {HTMLButtonElement} */ (target));
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const next = offered().at((at + step) % offered().length);
    if (step === 0) return;
    select(next);
    next?.focus();
  });
  copy.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(text.textContent ?? '').then(
      () => true,
      () => false,
    );
    copy.textContent = isCopied ? 'Copied' : 'Select the text to copy it';
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2000);
  });
  select(tabs[0]);
  return {
    /**
     * @param {{ texts: Record<string, string>, note: string }} snippets a form without a text has no tab
     */
    show(snippets) {
      texts = snippets.texts;
      note.textContent = snippets.note;
      for (const tab of tabs) tab.hidden = texts[tab.dataset.name ?? ''] === undefined;
      select(offered().find((tab) => tab.getAttribute('aria-selected') === 'true') ?? offered()[0]);
    },
  };
}
