import type { IncomingMessage, ServerResponse } from 'node:http';

/** Faults of any body that consists of a header and lines. */
export const LINE_FAULTS = {
  html: 'an HTML page under 200',
  'header only': 'the header without the rows',
  empty: 'an empty body',
  'cut connection': 'the connection breaks after half of the body',
  'cut line': 'the body ends within a line',
  'cut between lines': 'the body ends after half of its rows',
  'error sentence': 'half of the rows, then an error text under 200',
  thinned: 'four of five rows are missing, so that only their number is wrong',
} as const;
export type LineFault = keyof typeof LINE_FAULTS;

/** Error responses; the texts are those of IEM where it has one. */
export const REFUSALS = {
  throttled: '429 without Retry-After',
  'throttled with Retry-After': '429 with Retry-After: 1',
  'over capacity': '503',
  broken: '500 with an error text',
  unprocessable: '422',
} as const;
export type RefusalFault = keyof typeof REFUSALS;

const REFUSED: Readonly<Record<RefusalFault, { readonly status: number; readonly text: string }>> = {
  throttled: { status: 429, text: 'Too many requests from your IP address, slow down.' },
  'throttled with Retry-After': { status: 429, text: 'Too many requests from your IP address, slow down.' },
  'over capacity': { status: 503, text: 'ERROR: server over capacity, please try later' },
  broken: { status: 500, text: 'Oopsy, something failed on our end...' },
  unprocessable: { status: 422, text: 'Invalid times provided.' },
};

/** Sends a body of a header and lines, or the fault instead. */
export function sendLines(
  request: IncomingMessage,
  response: ServerResponse,
  fault: LineFault | RefusalFault | 'none',
  body: string,
): void {
  const half = body.slice(0, body.indexOf('\n', body.length / 2) + 1);
  switch (fault) {
    case 'none':
      response.end(body);
      return;
    case 'html':
      response.end(
        '<!DOCTYPE html>\n<html><head><title>Sorry</title></head><body>Come back later</body></html>\n',
      );
      return;
    case 'header only':
      response.end(body.slice(0, body.indexOf('\n') + 1));
      return;
    case 'empty':
      response.end();
      return;
    case 'thinned':
      response.end(thinned(body));
      return;
    case 'cut between lines':
      response.end(half);
      return;
    case 'error sentence':
      response.end(`${half}Oopsy, something failed on our end...\n`);
      return;
    case 'cut line':
      response.end(half.slice(0, -12));
      return;
    case 'cut connection':
      response.write(half.slice(0, -12), () => request.socket.destroy());
      return;
    default:
      if (fault === 'throttled with Retry-After') response.setHeader('retry-after', '1');
      response.writeHead(REFUSED[fault].status).end(REFUSED[fault].text);
  }
}

/** Every fifth row, and the last. */
function thinned(body: string): string {
  const [header = '', ...rows] = body.trimEnd().split('\n');
  return `${[header, ...rows.filter((_, at) => (rows.length - 1 - at) % 5 === 0)].join('\n')}\n`;
}
