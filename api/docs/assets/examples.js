// The examples are written for the demo archive. In another archive this script replaces their stations and month by some of
// that archive, so that the requests work; the answers shown stay those of the demo. (The service has already set the host.)
const response = await fetch('/v1/history/archive').catch(() => undefined);
const { example } = response?.ok ? (await response.json()).data : {};
const isDemo = example?.stations[0] === 'XAAA';
const replacements = example === undefined || isDemo ? [] : ofArchive(example);

for (const code of document.querySelectorAll('pre code:not(.language-json)'))
  for (const [demo, here] of replacements) {
    const text = code.textContent.replaceAll(demo, here);
    if (text !== code.textContent) code.textContent = text;
  }

/** @param {{ stations: string[], month: string }} example */
function ofArchive({ stations, month }) {
  const [year, number] = month.split('-').map(Number);
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  const [first, second = first] = stations;
  return [
    ['2025-01-01', `${year + 1}-01-01`],
    ['2024-02-01', next],
    ['2024-01-', `${month}-`],
    ['XAAA', first],
    ['XAAB', second],
  ];
}
