import { setTimeout as sleep } from 'node:timers/promises';
import { type Archive, canceledBy } from '../../clickhouse/archive.ts';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { type ListedStation, readStationList } from '../../clickhouse/stations.ts';
import type { Station } from './assets/declarations.ts';

const MAX_AGE_MS = 60_000;
/** After a failure, the next read begins this much later. */
const FAILURE_MS = 2000;
const TIMEOUT_MS = 5000;
/** How long a page waits for a newer list: without one it shows the last, or the frame alone. */
const WAIT_MS = 300;

/** What the archive knows of its stations without a key, up to a minute old, by code. */
export class StationList {
  readonly #archive: Archive;
  readonly #flight = new SingleFlight<void>();
  #stations: ReadonlyMap<string, Station> = new Map();
  #expires = 0;

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /** The list; the last one, or none, while the storage does not respond. */
  async read(): Promise<ReadonlyMap<string, Station>> {
    if (performance.now() >= this.#expires)
      await Promise.race([
        this.#flight.join(() => this.#refresh()),
        sleep(WAIT_MS, undefined, { ref: false }),
      ]);
    return this.#stations;
  }

  async #refresh(): Promise<void> {
    let isRead = false;
    try {
      const list = await readStationList(canceledBy(AbortSignal.timeout(TIMEOUT_MS), this.#archive));
      this.#stations = new Map(list.map((each) => [each.station, toStation(each)]));
      isRead = true;
    } catch {
      // The page says itself, by its own requests, that the storage does not respond.
    }
    this.#expires = performance.now() + (isRead ? MAX_AGE_MS : FAILURE_MS);
  }
}

function toStation({ newestReport, position, ...station }: ListedStation): Station {
  return {
    ...station,
    ...position,
    ...(newestReport !== undefined && {
      lastReport: new Date(newestReport * 1000).toISOString().replace('.000Z', 'Z'),
    }),
  };
}
