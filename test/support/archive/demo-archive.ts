import type { Archive } from '../../../clickhouse/archive.ts';
import { demo } from '../../../loader/sources/demo/demo.ts';
import { loadWith } from '../loader/run-load.ts';

/** Loads the first days of the demo archive, which every new installation holds too. */
export async function loadDemo(client: Archive): Promise<void> {
  await loadWith(client, demo(), '--source demo --stations XAAA,XAAB --from 2024-01-01 --to 2024-01-08');
}
