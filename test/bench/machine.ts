import { cpus, totalmem } from 'node:os';
import { type BenchEngine, DATABASE } from './embedded-engine.ts';

/** The archive, the machine and the versions. */
export async function describeArchive({ http }: BenchEngine): Promise<string> {
  const [version, reports, stations] = (
    await http.command(
      `SELECT version(), count(), uniqExact(station) FROM ${DATABASE}.observations FORMAT TSV`,
    )
  ).split('\t');
  const parts = await http.command(
    `SELECT count() FROM system.parts WHERE active AND database = '${DATABASE}' AND table = 'observations' FORMAT TSV`,
  );
  return (
    `${Number(reports).toLocaleString('en')} reports of ${Number(stations).toLocaleString('en')} stations, in ${parts} parts. ` +
    `ClickHouse ${version} (embedded). ${describeMachine()}`
  );
}

export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${gigabytes} GB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`;
}
