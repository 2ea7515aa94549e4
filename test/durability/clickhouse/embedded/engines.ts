import type { JoinedEngine } from '../../../../clickhouse/embedded/join.ts';
import { freePort, joinEngine, OPEN_ENGINE } from '../../../support/engine/engine.ts';

type Options = Parameters<typeof joinEngine>[0];

/** A function that joins the engine of a data directory, on a free port by default. All members leave after each test. */
export function useEngines() {
  const joined: JoinedEngine[] = [];
  afterEach(() => Promise.all(joined.splice(0).map((engine) => engine.leave())));
  return async (options: Pick<Options, 'dataDir'> & Partial<Options>): Promise<JoinedEngine> => {
    const engine = await joinEngine({ ...OPEN_ENGINE, port: await freePort(), ...options });
    joined.push(engine);
    return engine;
  };
}
