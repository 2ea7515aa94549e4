import { fillDays } from '../../clickhouse/days/refresh.ts';
import { plural } from '../wording.ts';
import type { LoaderProgram } from './command.ts';

/** The most station-months to compute, which take some minutes: the start of the service can wait for them. */
const MOST_MONTHS = 20_000;

export function declareMigrate({ add, accept }: LoaderProgram): void {
  add('migrate', 'creates or updates the schema of the archive, and stores missing records of days').action(
    () =>
      accept({ kind: 'migrate' }, async ({ archive, output, stop }) => {
        // Opening the archive has created what it lacked.
        output.print('The schema of the archive is up to date.');
        const { computed, isWhole } = await fillDays(archive, { most: MOST_MONTHS }, stop.now);
        if (computed > 0) output.print(`The days of ${plural(computed, 'month')} of stations are stored.`);
        if (!isWhole)
          output.print('Others are computed for each request: `npm run load -- redecode` stores them.');
        return true;
      }),
  );
}
