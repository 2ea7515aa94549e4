import type { Numbers } from '../format.ts';

// Makes a file of a figure of the page: its SVG charts with the styles that the style sheet gives them, and its HTML (titles,
// legends, the days of a calendar) as rectangles and texts.

const MARGIN = 16;
const LINE = 18;
/** Device pixels for each CSS pixel, as on high-resolution screens and printers. */
const PIXELS = 2;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif";

/** The style properties of charts. An element without its own value inherits that of its parent. */
const STYLES = [
  ['fill', 'stroke', 'opacity', 'fill-opacity', 'stroke-opacity', 'text-anchor', 'paint-order'],
  ['stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'font-size', 'font-weight'],
].flat();

/** Elements that are no part of the picture: links, the part that is pointed at, and texts for screen readers. */
const LEFT_OUT = '.links, .inline, .table, .failure, [aria-live], .reading > :first-child';

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function element(name: string, attributes: Readonly<Record<string, string | number>>, content = '') {
  const texts = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return `<${name}${texts.join('')}>${content}</${name}>`;
}

const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

/** A color that every program can read, because style sheets mix colors in color spaces that few programs know; or `none`. */
function colors(color: string) {
  if (context === null || color === 'none') return color;
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  const share = Math.round(alpha / 2.55) / 100;
  if (share === 0) return 'none';
  return share === 1 ? `rgb(${red}, ${green}, ${blue})` : `rgba(${red}, ${green}, ${blue}, ${share})`;
}

type PixelPosition = Numbers<'x' | 'y'>;

function styledChart(chart: SVGSVGElement, { x, y }: PixelPosition) {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll('*')];
  [chart, ...chart.querySelectorAll('*')].forEach((original, at) => {
    const target = copies[at];
    const style = getComputedStyle(original);
    const inherited = original === chart ? undefined : getComputedStyle(original.parentElement ?? chart);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value === inherited?.getPropertyValue(name)) continue;
      target?.setAttribute(name, name === 'fill' || name === 'stroke' ? colors(value) : value);
    }
    for (const name of ['class', 'style', 'tabindex', 'role', 'aria-label']) target?.removeAttribute(name);
  });
  for (const each of copy.querySelectorAll('.cursor, .selected')) each.remove();
  for (const [name, value] of Object.entries({ x, y, overflow: 'visible' }))
    copy.setAttribute(name, `${value}`);
  return new XMLSerializer().serializeToString(copy);
}

/** The background of an element: one color, or the hatching of days and cells without reports. */
function background(style: CSSStyleDeclaration, { width, height }: DOMRect, { x, y }: PixelPosition) {
  const { backgroundImage: image, boxShadow } = style;
  const box = { x, y, width, height, rx: Number.parseFloat(style.borderRadius) || 0 };
  if (image.startsWith('repeating-linear-gradient(135deg'))
    return element('rect', { ...box, fill: 'url(#missing)', opacity: style.opacity });
  const [stop = 'none'] = image.match(/(?:rgba?|oklab|oklch|color|lab)\([^()]*\)/) ?? [];
  const fill = [style.backgroundColor, stop].map(colors).find((color) => color !== 'none');
  if (fill !== undefined) return element('rect', { ...box, fill });
  const [edge] = boxShadow.match(/rgba?\([^()]*\)/) ?? [];
  return boxShadow.includes('inset') && edge
    ? element('rect', { ...box, fill: 'none', stroke: colors(edge) })
    : '';
}

/** The station, and a title for what the figure shows unless the figure has a title itself. */
function titlesOf(figure: Element) {
  const section = figure.closest('.section');
  const isTitled = figure.querySelector('h3') !== null;
  const label = figure.querySelector('[role="img"]')?.getAttribute('aria-label');
  const what = isTitled ? section?.querySelector('.sentence')?.textContent : label;
  return [document.querySelector('h1')?.textContent, what ?? section?.querySelector('h2')?.textContent].map(
    (title) => title?.trim() ?? '',
  );
}

/** A figure of the page as SVG text, with a link to where it is from. */
export function drawingOf(figure: Element, source: string) {
  const frame = figure.getBoundingClientRect();
  const titles = titlesOf(figure);
  const longest = Math.max(30, Math.floor(frame.width / 7));
  const lines = titles.flatMap((title) => title.match(new RegExp(`.{1,${longest}}(?= |$)`, 'g')) ?? []);
  const top = MARGIN + (lines.length + 0.5) * LINE;
  const { backgroundColor, color } = getComputedStyle(document.body);
  const parts: string[] = lines.map((line, at) => {
    const place = { x: MARGIN, y: MARGIN + (at + 0.5) * LINE };
    return text(line.trim(), place, { fontSize: '13px', fontWeight: at === 0 ? '600' : '400', color });
  });
  let bottom = 0;
  const draw = (node: Node) => {
    if (node instanceof Text) return drawText(node);
    if (!(node instanceof Element) || node.matches(LEFT_OUT)) return;
    const style = getComputedStyle(node);
    const box = node.getBoundingClientRect();
    if (style.display === 'none' || style.visibility === 'hidden') return;
    const place = { x: box.left - frame.left + MARGIN, y: box.top - frame.top + top };
    bottom = Math.max(bottom, place.y + box.height);
    if (node instanceof SVGSVGElement) return void parts.push(styledChart(node, place));
    parts.push(background(style, box, place));
    for (const child of node.childNodes) draw(child);
  };
  /** One text for each line into which the browser has broken it. */
  const drawText = (node: Text) => {
    const lines = new Map<number, { words: readonly string[]; place: PixelPosition }>();
    const range = document.createRange();
    for (const { 0: word, index } of node.data.matchAll(/[^ \n]+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const [box] = range.getClientRects();
      if (box === undefined) continue;
      const place = { x: box.left - frame.left + MARGIN, y: box.top - frame.top + top + box.height / 2 };
      const line = lines.get(box.top) ?? { words: [], place };
      lines.set(box.top, { ...line, words: [...line.words, word] });
    }
    if (node.parentElement === null) return;
    const style = getComputedStyle(node.parentElement);
    for (const { words, place } of lines.values()) parts.push(text(words.join(' '), place, style));
  };
  for (const child of figure.children) draw(child);
  const [width, height] = [frame.width + 2 * MARGIN, bottom + LINE + MARGIN];
  const muted = getComputedStyle(document.documentElement).getPropertyValue('--text-muted').trim();
  const place = { x: MARGIN, y: height - MARGIN };
  parts.push(text(source, place, { fontSize: '11px', fontWeight: '400', color: muted }));
  const hatch = element('path', { d: 'M-1 1L1 -1M0 4L4 0M3 5L5 3', stroke: colors(muted) });
  const tile = { id: 'missing', width: 4, height: 4, patternUnits: 'userSpaceOnUse' };
  const pattern = element('pattern', tile, hatch);
  const all = { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` };
  const paper = element('rect', { width, height, fill: colors(backgroundColor) });
  return element('svg', { ...all, 'font-family': FONT }, `${pattern}${paper}${parts.join('\n')}`);
}

type TextStyle = Pick<CSSStyleDeclaration, 'fontSize' | 'fontWeight' | 'color'>;

/** `y` is the middle of the text. */
function text(content: string, place: PixelPosition, { fontSize, fontWeight, color }: TextStyle) {
  const font = { 'font-size': Number.parseFloat(fontSize), 'font-weight': fontWeight };
  return element('text', { ...place, dy: '0.35em', ...font, fill: colors(color) }, escapeXml(content));
}

export async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth * PIXELS, image.naturalHeight * PIXELS);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return canvas.convertToBlob();
}
