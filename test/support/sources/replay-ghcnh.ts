import { type Replay, serve } from './replay-server.ts';

/** A row of a year file: `YYYY-MM-DDTHH:MM:SS` and the text of its remarks; most rows have none. */
export type GhcnhRow = { readonly id: string; readonly date: string; readonly remarks?: string };

/** Columns of which GHCNh has 329. */
const COLUMNS = 'STATION|Station_name|DATE|Year|Month|Day|Hour|Minute|LATITUDE|LONGITUDE|temperature|remarks';

const ROOT = '/oa/global-historical-climatology-network/hourly';

/**
 * Serves GHCNh as NCEI does: the list of stations, the inventory and a file for each id and year that has rows; 404 for any
 * other path.
 *
 * @param stations rows of `GHCN_ID,LATITUDE,LONGITUDE,ELEVATION,STATE,NAME,GSN,(US)HCN_(US)CRN,WMO_ID,ICAO,ISO_CODE`
 * @param inventory rows of `GHCNh_ID YEAR JAN … DEC`
 */
export function replayGhcnh(
  stations: readonly string[],
  inventory: readonly string[],
  rows: readonly GhcnhRow[],
): Promise<Replay> {
  return serve([], ({ url, response }) => {
    const path = url.pathname.replace(`${ROOT}/`, '');
    const send = (...lines: readonly string[]) => response.end(`${lines.join('\n')}\n`);
    if (path === 'doc/ghcnh-station-list.csv')
      return void send(
        'GHCN_ID,LATITUDE,LONGITUDE,ELEVATION,STATE,NAME,GSN,(US)HCN_(US)CRN,WMO_ID,ICAO,ISO_CODE',
        ...stations,
      );
    if (path === 'doc/ghcnh-inventory.txt')
      return void send('GHCNh_ID YEAR JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC', ...inventory);
    const [, year, id] = /^access\/by-year\/(\d{4})\/psv\/GHCNh_(\S{11})_\1\.psv$/.exec(path) ?? [];
    const found = rows.filter((row) => row.id === id && row.date.startsWith(`${year}-`));
    if (found.length === 0) return void response.writeHead(404).end('Not Found');
    send(COLUMNS, ...found.map(lineOf));
  });
}

function lineOf({ id, date, remarks = '' }: GhcnhRow): string {
  const parts = date.slice(0, 16).split(/[-T:]/);
  return [id, 'SOMEWHERE', date, ...parts, '40.1', '-73.2', '1.0', remarks].join('|');
}
