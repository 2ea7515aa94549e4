import type { ClientRequest } from '../clients/client.ts';
import { LARGE_PAGE, OBSERVATIONS } from '../clients/client.ts';

/** What keys send, each 100 requests a second. */
export type HeavyCase = {
  readonly name: string;
  readonly keys: number;
  /** The request with this number. */
  readonly request: (n: number) => ClientRequest;
};

const HOUR_MS = 3_600_000;
const START = Date.UTC(2023, 0, 1);
const STREAM = LARGE_PAGE.replace('&limit=10000', '');
const FORMATS = ['ndjson', 'csv', 'parquet', 'arrow'];
const ENCODINGS = ['identity', 'gzip', 'br'];

/** A thousand stations, of which the archive has none. */
const STATIONS = Array.from({ length: 1000 }, (_, n) => `Z${n.toString(26).padStart(3, '0').toUpperCase()}`)
  .map((code) => code.replace(/\d/g, (digit) => 'QRSTUVWXYZ'[Number(digit)] ?? ''))
  .join();

const since = (n: number) => `from=${new Date(START + n * HOUR_MS).toISOString().slice(0, 19)}Z`;
/** Each page has other records. */
const newPage = (n: number) => LARGE_PAGE.replace(/from=[^&]+/, since(n % 4000));
const compressed = (encoding: string | undefined) => ({ 'accept-encoding': encoding ?? 'identity' });

export const newCoverage = (n: number): ClientRequest => ({
  path: `${OBSERVATIONS}?stations=${STATIONS}&${since(n)}&to=2024-01-01T00:00:00Z&limit=1`,
});

const newStream = (n: number): ClientRequest => ({ path: STREAM.replace('?', `.${FORMATS[n % 4]}?`) });

export const HEAVY_CASES: readonly HeavyCase[] = [
  ...ENCODINGS.flatMap((encoding) => [
    {
      name: `one page in memory, ${encoding}`,
      keys: 1,
      request: () => ({ path: LARGE_PAGE, headers: compressed(encoding) }),
    },
    {
      name: `new pages, ${encoding}`,
      keys: 1,
      request: (n: number) => ({ path: newPage(n), headers: compressed(encoding) }),
    },
  ]),
  { name: 'coverage of 1,000 stations', keys: 1, request: newCoverage },
  {
    name: 'streams of all formats',
    keys: 1,
    request: newStream,
  },
  {
    name: 'all of these from eight keys at once',
    keys: 8,
    request(n) {
      if (n % 5 === 0) return newCoverage(n);
      if (n % 7 === 0) return newStream(n);
      return { path: n % 2 === 0 ? newPage(n) : LARGE_PAGE, headers: compressed(ENCODINGS[n % 3]) };
    },
  },
];
