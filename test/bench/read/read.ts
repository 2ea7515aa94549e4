import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from '../machine.ts';
import { finish } from '../markdown.ts';
import { startApi } from './api.ts';
import { openBuilt } from './archive.ts';
import { compareSizes } from './archive-sizes.ts';
import { measure, measureFirstAsks } from './measure.ts';
import { peersTable, promisesTable, queriesTable, sizesTable, soakTable } from './tables.ts';
import { promises } from './targets.ts';
import { type Rate, ratesOf, soak } from './throughput.ts';

/** Pages over HTTP beside the engine itself, on an archive of synthetic reports, and beside other databases. */
export async function benchRead(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: '10000000' },
      rounds: { type: 'string', default: '30' },
      /** Of pressing each query over 1, 8 and 32 connections; 0 leaves it out. */
      seconds: { type: 'string', default: '2' },
      soak: { type: 'string', default: '0' },
      /** Another archive, whose size should make no difference. */
      beside: { type: 'string' },
      peers: { type: 'boolean', default: false },
      data: { type: 'string', default: join(tmpdir(), 'history-bench') },
      write: { type: 'string' },
    },
  });
  const [rows, rounds, seconds, soakSeconds] = [values.rows, values.rounds, values.seconds, values.soak].map(
    (text) => whole(text),
  ) as [number, number, number, number];
  const archive = await openBuilt(rows, values.data);
  const api = await startApi(archive).catch(async (error) => {
    await archive.close();
    throw error;
  });
  try {
    const { write: _, data: __, ...named } = values;
    const about = await machine(archive, 'Reads, measured', `read ${written(named)}`);
    const firstAsks = await measureFirstAsks(archive, api);
    const measured = await measure(archive, api, rounds);
    const rates: (readonly Rate[])[] = [];
    if (seconds > 0) for (const { query } of measured) rates.push(await ratesOf(api, query, seconds));
    const queries = measured.map(({ query }) => query);
    const soaked = soakSeconds > 0 ? await soak(api, queries, soakSeconds) : undefined;
    const resident = api.resident();
    const sizes =
      values.beside === undefined
        ? undefined
        : await compareSizes(api, queries, whole(values.beside), values.data, rounds);
    const peers = values.peers
      ? await (await import('../peers/compare.ts')).comparePeers(archive, api, queries, rounds)
      : undefined;
    await finish(values.write, [
      about,
      promisesTable(promises(measured, { soaked, sizes, peers })),
      queriesTable(measured, rates, firstAsks, resident),
      ...(soaked ? [soakTable(soaked)] : []),
      ...(sizes ? [sizesTable(sizes)] : []),
      ...(peers ? [peersTable(peers)] : []),
    ]);
  } finally {
    await api.stop();
    await archive.close();
  }
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${text} is no whole number`);
  return Number(text);
}

/** The options again, as they were given or by default, without what is only of this machine. */
function written(options: Readonly<Record<string, string | boolean | undefined>>): string {
  return Object.entries(options)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? `--${name}` : `--${name} ${value}`))
    .join(' ');
}
