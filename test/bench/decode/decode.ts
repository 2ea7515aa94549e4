import { decode } from '../../../loader/decode.ts';
import { reports, STYLES } from './reports.ts';

const ROUNDS = 60;
/** metar-taf-parser is slower. */
const OTHER_ROUNDS = 3;

/**
 * Reports a second on one core, compared with metar-taf-parser in the same run where that package is installed. The
 * ratio holds on any machine, the figures on this one.
 */
export async function benchDecode(): Promise<void> {
  const unclean = reports.filter((report) => decode(report).unexplained.length > 0);
  console.log(
    `decode: ${reports.length} reports of ${STYLES.length} styles, ${unclean.length} not decoded cleanly`,
  );
  const ours = reportsPerSecond(decode, ROUNDS);
  print('this decoder', ours);
  const other = await import('metar-taf-parser').catch(() => undefined);
  if (other === undefined) {
    console.log('metar-taf-parser   not installed, no ratio');
    return;
  }
  const theirs = reportsPerSecond(other.parseMetar, OTHER_ROUNDS);
  print('metar-taf-parser', theirs, `, ${(ours / theirs).toFixed(1)} times slower`);
}

/** Runs once to warm up, and measures the second run. */
function reportsPerSecond(decodeOne: (report: string) => unknown, rounds: number): number {
  const run = () => {
    for (let round = 0; round < rounds; round += 1) for (const report of reports) decodeOne(report);
  };
  run();
  const started = performance.now();
  run();
  return (rounds * reports.length * 1000) / (performance.now() - started);
}

function print(name: string, perSecond: number, note = ''): void {
  console.log(`${name.padEnd(18)} ${Math.round(perSecond).toLocaleString('en')} reports/s${note}`);
}
