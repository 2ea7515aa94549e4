import type { Archive } from '../../../clickhouse/archive.ts';
import {
  type DescriptionRanks,
  recordStationDescriptions,
  type StationDescription,
} from '../../../clickhouse/stations.ts';

/** As the adapters of these sources state them. */
const RANKS: Readonly<Record<string, DescriptionRanks>> = {
  iem: { rank: 2, elevationRank: 4 },
  awc: { rank: 3, elevationRank: 2 },
  ncei: { rank: 4, elevationRank: 3 },
};

/** Stores descriptions of any of these sources. */
export async function describeStations(
  client: Archive,
  descriptions: readonly StationDescription[],
): Promise<void> {
  for (const [source, ranks] of Object.entries(RANKS))
    await recordStationDescriptions(
      client,
      descriptions.filter((description) => description.source === source),
      ranks,
    );
}
