import type { BenchEngine } from '../embedded-engine.ts';
import { type Api, startApi } from '../read/api.ts';
import { recordStatements, type StatementRecorder } from './statement-recorder.ts';

/** Runs `use` with an api whose statements are recorded. Its times are no measurement. */
export async function withRecordedApi<T>(
  { api: archive }: BenchEngine,
  use: (api: Api, recorder: StatementRecorder) => Promise<T>,
): Promise<T> {
  const recorder = await recordStatements(archive.url);
  try {
    const api = await startApi({ api: { ...archive, url: recorder.url } });
    try {
      return await use(api, recorder);
    } finally {
      await api.stop();
    }
  } finally {
    recorder.close();
  }
}
