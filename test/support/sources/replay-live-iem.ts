import { byTime, type IemReport } from './iem-reports.ts';
import { type Replay, serve } from './replay-server.ts';

/**
 * Serves reports as IEM does, those that were observed until now; `broken` responses are 503. Those of the first station are
 * routine, the others special: both types go on to the end of each day.
 *
 * @param clock of its responses
 */
export type LiveIem = Replay<'broken'>;

export function replayLiveIem(
  reports: readonly IemReport[],
  now: () => Date,
  isAway: () => boolean = () => false,
  clock: () => Date | undefined = now,
): Promise<LiveIem> {
  const sorted = reports.toSorted(byTime);
  const ids = [...new Set(reports.map(({ id }) => id))];
  return serve<'broken'>(
    [],
    ({ url: { pathname, searchParams }, response, next }) => {
      if (next() === 'broken' || isAway())
        return void response.writeHead(503).end('ERROR: server over capacity');
      if (pathname === '/geojson/network/AZOS.geojson') {
        const features = ids.map((id) => ({
          id,
          properties: { network: 'XX__ASOS', archive_begin: '2010-01-01', archive_end: null },
        }));
        return void response.end(JSON.stringify({ type: 'FeatureCollection', features }));
      }
      if (pathname !== '/cgi-bin/request/asos.py') return void response.writeHead(404).end();
      const from = Date.parse(searchParams.get('sts') ?? '');
      const to = Date.parse(searchParams.get('ets') ?? '');
      const stations = searchParams.getAll('station');
      if (stations.length === 0 && to - from > 86_400_000)
        return void response.writeHead(400).end('must be less than 24 hours');
      const types = searchParams.getAll('report_type');
      const found = sorted.filter(({ id, valid }) => {
        const time = Date.parse(`${valid.replace(' ', 'T')}Z`);
        const type = id === ids[0] ? '3' : '4';
        const isAsked = stations.length === 0 || stations.includes(id);
        return isAsked && types.includes(type) && time >= from && time < Math.min(to, now().getTime());
      });
      const rows = found.map(({ id, valid, metar }) => `${id},${valid},${metar}\n`);
      response.end(['station,valid,metar\n', ...rows].join(''));
    },
    clock,
  );
}
