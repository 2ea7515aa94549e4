/** A snapshot or its folder cannot be used. The message is one line for the user, and says what to do. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}
