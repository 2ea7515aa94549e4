import type { Exchange } from './replay-server.ts';

/** What a source sends in place of a body. */
type Sent = {
  readonly status?: number;
  readonly retryAfter?: string;
  readonly text: string;
  /** The connection breaks after the text. */
  readonly isCut?: true;
};

const PAGE = '<!DOCTYPE html>\n<html><head><title>Sorry</title></head><body>Come back later</body></html>\n';
const SLOW_DOWN = 'Too many requests from your IP address, slow down.';
const SORRY = '#Sorry, Your quota limit for slow queries rate has been reached\n';
const OOPS = 'Oopsy, something failed on our end...';
const BUSY = 'ERROR: server over capacity, please try later';

const halfOf = (body: string) => body.slice(0, body.indexOf('\n', body.length / 2) + 1);
const fault = (about: string, sent: (body: string) => Sent) => ({ about, sent });
const instead = (about: string, sent: Sent) => fault(about, () => sent);

/** Faults that IEM, NCEI and Ogimet have shown, most of them under 200. A body is a header and lines. */
export const FAULTS = {
  throttled: instead('429 without Retry-After', { status: 429, text: SLOW_DOWN }),
  'throttled with Retry-After': instead('429 with Retry-After: 1', {
    ...{ status: 429, retryAfter: '1', text: SLOW_DOWN },
  }),
  'over capacity': instead('503', { status: 503, text: BUSY }),
  broken: instead('500 with an error text', { status: 500, text: OOPS }),
  unprocessable: instead('422', { status: 422, text: 'Invalid times provided.' }),
  'error text': instead('an error text under 200', { text: `${BUSY}\n` }),
  'sorry under 200': instead('the quota text under 200', { text: SORRY }),
  'sorry under 501': instead('the quota text under 501', { status: 501, text: SORRY }),
  html: instead('an HTML page under 200', { text: PAGE }),
  empty: instead('an empty body', { text: '' }),
  'header only': fault('the header without the rows', (body) => ({
    text: body.slice(0, body.indexOf('\n') + 1),
  })),
  'cut connection': fault('the connection breaks after half of the body', (body) => ({
    ...{ text: halfOf(body).slice(0, -12), isCut: true },
  })),
  'cut line': fault('the body ends within a line', (body) => ({ text: halfOf(body).slice(0, -12) })),
  'cut between lines': fault('the body ends after half of its rows', (body) => ({ text: halfOf(body) })),
  'error sentence': fault('half of the rows, then an error text under 200', (body) => ({
    text: `${halfOf(body)}${OOPS}\n`,
  })),
  thinned: fault('four of five rows are missing, so that only their number is wrong', (body) => {
    const [header = '', ...rows] = body.trimEnd().split('\n');
    const kept = rows.filter((_, at) => (rows.length - 1 - at) % 5 === 0);
    return { text: `${[header, ...kept].join('\n')}\n` };
  }),
} as const;
export type Fault = keyof typeof FAULTS;

const OF_OGIMET: readonly string[] = ['sorry under 200', 'sorry under 501'];
export const IEM_FAULTS = (Object.keys(FAULTS) as Fault[]).filter((name) => !OF_OGIMET.includes(name));

/** Sends a body, or the next fault instead. */
export function sendLines({ request, response, next }: Exchange<Fault>, body: string): void {
  const name = next();
  const {
    status = 200,
    retryAfter,
    text,
    isCut,
  }: Sent = name === 'none' ? { text: body } : FAULTS[name].sent(body);
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  response.statusCode = status;
  if (isCut) response.write(text, () => request.socket.destroy());
  else response.end(text);
}
