import { cpus, totalmem } from 'node:os';
import { type BenchEngine, DATABASE } from './embedded-engine.ts';

/** The head of a result: title, command line, archive, machine and versions. */
export async function describeRun({ http }: BenchEngine, title: string, command: string): Promise<string> {
  const [version, reports, stations] = (
    await http.command(
      `SELECT version(), count(), uniqExact(station) FROM ${DATABASE}.observations FORMAT TSV`,
    )
  ).split('\t');
  const parts = await http.command(
    `SELECT count() FROM system.parts WHERE active AND database = '${DATABASE}' AND table = 'observations' FORMAT TSV`,
  );
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    `# ${title}`,
    `\`npm run bench -- ${command}\``,
    `${Number(reports).toLocaleString('en')} reports of ${Number(stations).toLocaleString('en')} stations, in ${parts} parts. ` +
      `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${gigabytes} GB, Node ${process.versions.node}, ` +
      `ClickHouse ${version} (embedded), ${new Date().toISOString().slice(0, 10)}.`,
  ].join('\n\n');
}
