import { decode } from '../../../loader/decode.ts';
import type { Results } from '../figures.ts';
import { describeMachine } from '../machine.ts';
import { reports, STYLES } from './reports.ts';

const ROUNDS = 60;
/** metar-taf-parser is slower. */
const OTHER_ROUNDS = 3;

/**
 * Reports a second on one core, compared with metar-taf-parser in the same run where that package is installed. The
 * ratio holds on any machine, the figures on this one.
 */
export async function benchDecode(): Promise<Results> {
  const unclean = reports.filter((report) => decode(report).unexplained.length > 0);
  const ours = reportsPerSecond(decode, ROUNDS);
  const other = await import('metar-taf-parser').catch(() => undefined);
  const theirs = other && reportsPerSecond(other.parseMetar, OTHER_ROUNDS);
  return {
    about: describeMachine(),
    sections: [
      {
        title: `${reports.length} reports of ${STYLES.length} styles, ${unclean.length} not decoded cleanly`,
        figures: [
          { what: 'this decoder', measured: ours, unit: 'a second' },
          ...(theirs === undefined
            ? []
            : [
                { what: 'metar-taf-parser', measured: theirs, unit: 'a second' } as const,
                { what: 'this decoder, compared with it', measured: ours / theirs, unit: '×' } as const,
              ]),
        ],
      },
    ],
  };
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
