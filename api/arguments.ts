import { describeSettings } from '../clickhouse/settings/settings.ts';
import { SETTINGS } from './config.ts';

/** What `npm start -- --help` prints. */
export const USAGE = `Serves the archive over HTTP.

  npm start

Settings are environment variables; docs/operations.md says what each does:
${describeSettings(SETTINGS)}

Exit codes:
  0  stopped by a signal
  1  the service could not start
  2  invalid arguments`;

/** What the arguments ask for. Anything but --help is an error: settings are environment variables. */
export function readArguments(args: readonly string[]): 'start' | 'help' | 'invalid' {
  if (args.includes('--help') || args.includes('-h')) return 'help';
  return args.length === 0 ? 'start' : 'invalid';
}
