import { removeSource } from '../pipeline/remove.ts';
import type { LoaderProgram } from './command.ts';

export function declareRemoveDemo({ add, accept }: LoaderProgram): void {
  add('remove-demo', 'removes the synthetic demo reports').action(() =>
    accept({ kind: 'remove-demo' }, async ({ archive, output }) => {
      await removeSource(archive, 'demo');
      output.print('The synthetic demo reports are removed.');
      return true;
    }),
  );
}
