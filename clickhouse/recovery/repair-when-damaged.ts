import type { Archive } from '../archive.ts';
import { SingleFlight } from '../concurrency.ts';
import { ArchiveRepairError, isDamagedPart } from '../errors.ts';

/** A repair that finds nothing is not repeated for this long: the error has another cause. */
const RETRY_AFTER_MS = 600_000;

/**
 * The archive, which is repaired as soon as a statement finds a damaged part. The statement fails, and all others until the
 * repair is over, as of an archive that is away: the caller repeats them.
 *
 * @param repair returns how many parts it has moved aside
 */
export function repairWhenDamaged(
  archive: Archive,
  repair: () => Promise<number>,
  log: (line: string) => void,
): Archive {
  const repairs = new SingleFlight<void>();
  let failedAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    log('a part of the archive is damaged; repairing it');
    try {
      const moved = await repair();
      if (moved === 0) failedAt = performance.now();
      log(moved === 0 ? 'no damaged part was found' : 'the archive is repaired');
    } catch (error) {
      failedAt = performance.now();
      log(`the archive cannot be repaired: ${error}`);
    }
  }

  /** The error of a statement; starts the repair if a part is damaged. */
  function afterError(error: unknown): unknown {
    if (!isDamagedPart(error)) return error;
    if (repairs.running === undefined && performance.now() - failedAt < RETRY_AFTER_MS) return error;
    void repairs.join(run);
    return new ArchiveRepairError('A part of the archive is damaged and is being repaired', { cause: error });
  }

  async function guard<T>(work: () => Promise<T>): Promise<T> {
    if (repairs.running !== undefined) throw new ArchiveRepairError('The archive is being repaired');
    try {
      return await work();
    } catch (error) {
      throw afterError(error);
    }
  }

  return {
    ...archive,
    select: (...args) => guard(() => archive.select(...args)),
    async stream(...args) {
      const stream = await guard(() => archive.stream(...args));
      return stream.once('error', afterError);
    },
    insert: (...args) => guard(() => archive.insert(...args)),
    insertFile: (...args) => guard(() => archive.insertFile(...args)),
    command: (...args) => guard(() => archive.command(...args)),
    ping: (...args) => guard(() => archive.ping(...args)),
    async close() {
      await repairs.running;
      await archive.close();
    },
  };
}
