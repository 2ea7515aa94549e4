import { type Fault, sendLines } from './replay-faults.ts';
import { type Replay, serve } from './replay-server.ts';

/** A report with the time of its bulletin (`slot`, `YYYYMMDDHHMM`). */
export type OgimetReport = { readonly icao: string; readonly slot: string; readonly report: string };

const HEADER = 'ESTACION,ANO,MES,DIA,HORA,MINUTO,PARTE\n';

/** Serves reports as getmetar does: by prefix of the code, both ends of the window inclusive. */
export function replayOgimet(
  reports: readonly OgimetReport[],
  faults: readonly (Fault | 'none')[] = [],
): Promise<Replay<Fault>> {
  return serve(faults, (exchange) => {
    const { pathname, searchParams } = exchange.url;
    if (pathname !== '/cgi-bin/getmetar') return void exchange.response.writeHead(404).end();
    const of = (name: string) => searchParams.get(name) ?? '';
    const rows = reports
      .filter(({ icao, slot }) => icao.startsWith(of('icao')) && slot >= of('begin') && slot <= of('end'))
      .map(
        ({ icao, slot, report }) =>
          `${icao},${slot.replace(/^(....)(..)(..)(..)(..)$/, '$1,$2,$3,$4,$5')},${report}\n`,
      );
    const body = (of('header') === 'yes' ? HEADER : '') + rows.join('');
    if (rows.length > 0) sendLines(exchange, body);
    else exchange.response.end(body);
  });
}
