import type { LoaderProgram } from '../args/program.ts';
import { removeSource } from '../pipeline/remove-source.ts';
import { inArchive } from './open-archive.ts';

export function declareRemoveDemo({ add, accept }: LoaderProgram): void {
  add('remove-demo', 'removes the synthetic demo reports').action(() =>
    accept(
      { kind: 'remove-demo' },
      inArchive(async ({ archive, output }) => {
        await removeSource(archive, 'demo');
        output.print('The synthetic demo reports are removed.');
        return true;
      }),
    ),
  );
}
