import { LINE_FAULTS, REFUSALS, sendLines } from './replay-faults.ts';
import { type Replay, serve } from './replay-server.ts';

/** Faults that Ogimet has shown. */
export const OGIMET_FAULTS = {
  ...LINE_FAULTS,
  'throttled with Retry-After': REFUSALS['throttled with Retry-After'],
  'over capacity': REFUSALS['over capacity'],
  unprocessable: REFUSALS.unprocessable,
  'sorry under 200': 'the quota text under 200',
  'sorry under 501': 'the quota text under 501',
  'wrong date': 'the Spanish text for an invalid date',
} as const;
export type OgimetFault = keyof typeof OGIMET_FAULTS;

/** A report with the time of its bulletin (`slot`, `YYYYMMDDHHMM`). */
export type OgimetReport = { readonly icao: string; readonly slot: string; readonly report: string };

const HEADER = 'ESTACION,ANO,MES,DIA,HORA,MINUTO,PARTE\n';
const SORRY = '#Sorry, Your quota limit for slow queries rate has been reached\n';

/** Serves reports as getmetar does: by prefix of the code, both ends of the window inclusive. */
export function replayOgimet(
  reports: readonly OgimetReport[],
  faults: readonly (OgimetFault | 'none')[] = [],
): Promise<Replay<OgimetFault>> {
  return serve(faults, ({ url, request, response, next }) => {
    if (url.pathname !== '/cgi-bin/getmetar') {
      response.writeHead(404).end();
      return;
    }
    const rows = reports.filter(isRequested(url.searchParams)).map(rowOf);
    const fault = rows.length > 0 ? next() : 'none';
    switch (fault) {
      case 'sorry under 200':
        response.end(SORRY);
        return;
      case 'sorry under 501':
        response.writeHead(501).end(SORRY);
        return;
      case 'wrong date':
        response.end('La fecha de inicio no es correcta\n');
        return;
      default: {
        const header = url.searchParams.get('header') === 'yes' ? HEADER : '';
        sendLines(request, response, fault, header + rows.join(''));
      }
    }
  });
}

function isRequested(query: URLSearchParams): (report: OgimetReport) => boolean {
  const [icao = '', begin = '', end = ''] = ['icao', 'begin', 'end'].map((name) => query.get(name) ?? '');
  return (report) => report.icao.startsWith(icao) && report.slot >= begin && report.slot <= end;
}

function rowOf({ icao, slot, report }: OgimetReport): string {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(slot) ?? [];
  return `${icao},${year},${month},${day},${hour},${minute},${report}\n`;
}
