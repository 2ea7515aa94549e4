import { cpus, totalmem } from 'node:os';
import type { Asker } from './http-client.ts';

/** On what, with what and how the figures were had. */
export async function machine(
  { engine, database }: { readonly engine: Asker; readonly database: string },
  title: string,
  command: string,
): Promise<string> {
  const [version, rows, stations] = (
    await engine.command(
      `SELECT version(), count(), uniqExact(station) FROM ${database}.observations FORMAT TSV`,
    )
  ).split('\t');
  const parts = await engine.command(
    `SELECT count() FROM system.parts WHERE active AND database = '${database}' AND table = 'observations' FORMAT TSV`,
  );
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    `# ${title}`,
    `\`npm run bench -- ${command}\``,
    `${Number(rows).toLocaleString('en')} reports of ${Number(stations).toLocaleString('en')} stations, in ${parts.trim()} parts. ` +
      `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${gigabytes} GB, Node ${process.versions.node}, ` +
      `ClickHouse ${version} (embedded), ${new Date().toISOString().slice(0, 10)}.`,
  ].join('\n\n');
}
