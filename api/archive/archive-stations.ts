import type { Archive } from '../../clickhouse/archive.ts';
import { readStationList } from '../../clickhouse/stations.ts';
import { formatTime } from '../answers/envelope.ts';
import { StaticDocument } from '../http/documents.ts';
import { UP_TO_A_MINUTE_OLD } from '../ops/shared-read.ts';

export type ArchiveStations = Awaited<ReturnType<typeof readArchiveStations>>;

/** What the archive knows of its stations, for readers without a key: by code, and as the answer of `archive/stations`. */
export async function readArchiveStations(archive: Archive) {
  const stations = (await readStationList(archive)).map(({ position, newestReport, ...station }) => ({
    ...station,
    ...position,
    ...(newestReport !== undefined && { lastReport: formatTime(newestReport) }),
  }));
  const members = ['station', 'name', 'country', 'latitude', 'longitude', 'lastReport'];
  return {
    byCode: new Map(stations.map((each) => [each.station, each])),
    // All responses share its bytes: those of thousands of stations are a megabyte.
    document: new StaticDocument(
      JSON.stringify({ data: stations }, ['data', ...members]),
      'json',
      UP_TO_A_MINUTE_OLD,
    ),
  };
}
