import type { LoaderProgram } from './command.ts';

export function declareMigrate({ add, accept }: LoaderProgram): void {
  add('migrate', 'creates or updates the schema of the archive').action(() =>
    accept({ kind: 'migrate' }, async ({ output }) => {
      // Opening the archive has created what it lacked.
      output.print('The schema of the archive is up to date.');
      return true;
    }),
  );
}
