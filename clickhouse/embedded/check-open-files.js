// Node runs this before the TypeScript runner, which says nothing of use where it cannot start its compiler.
import { requireOpenFiles } from './open-files.js';

try {
  // Without an engine of its own a program needs fewer, and says so itself.
  if (process.env.CLICKHOUSE_URL === undefined) requireOpenFiles();
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exit(1);
}
