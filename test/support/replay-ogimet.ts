import { type Replay, serve } from './replay-server.ts';

/** What Ogimet is known to do wrong. */
export const OGIMET_FAULTS = {
  'sorry under 200': 'the text of the throttle under 200',
  'sorry under 501': 'the text of the throttle under 501',
  'wrong date': 'the Spanish text for a date that cannot be',
  'header only': 'no rows though there are some',
  empty: 'not even a header',
  'cut line': 'the body ends within a line',
  'cut between lines': 'the body ends after half of its rows',
} as const;
export type OgimetFault = keyof typeof OGIMET_FAULTS;

/** A report under the slot of its bulletin, `YYYYMMDDHHMM`. */
export type Slotted = { readonly icao: string; readonly slot: string; readonly report: string };

const SORRY = '#Sorry, Your quota limit for slow queries rate has been reached\n';

/** Serves reports as getmetar would: by prefix of the code, both ends of the window inclusive. */
export function replayOgimet(
  reports: readonly Slotted[],
  faults: readonly (OgimetFault | 'none')[] = [],
): Promise<Replay> {
  return serve(faults, (url, response, next) => {
    if (url.pathname !== '/cgi-bin/getmetar') {
      response.writeHead(404).end();
      return;
    }
    const header = url.searchParams.get('header') === 'yes' ? 'ESTACION,ANO,MES,DIA,HORA,MINUTO,PARTE\n' : '';
    const rows = reports.filter(isAsked(url.searchParams)).map(rowOf);
    const half = header + rows.slice(0, rows.length / 2).join('');
    switch (next()) {
      case 'none':
        response.end(header + rows.join(''));
        return;
      case 'sorry under 200':
        response.end(SORRY);
        return;
      case 'sorry under 501':
        response.writeHead(501).end(SORRY);
        return;
      case 'wrong date':
        response.end('La fecha de inicio no es correcta\n');
        return;
      case 'header only':
        response.end(header);
        return;
      case 'empty':
        response.end();
        return;
      case 'cut line':
        response.end(half.slice(0, -12));
        return;
      case 'cut between lines':
        response.end(half);
        return;
    }
  });
}

function isAsked(query: URLSearchParams): (report: Slotted) => boolean {
  const [icao = '', begin = '', end = ''] = ['icao', 'begin', 'end'].map((name) => query.get(name) ?? '');
  return (report) => report.icao.startsWith(icao) && report.slot >= begin && report.slot <= end;
}

function rowOf({ icao, slot, report }: Slotted): string {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(slot) ?? [];
  return `${icao},${year},${month},${day},${hour},${minute},${report}\n`;
}
