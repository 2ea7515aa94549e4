/** A snapshot or its folder cannot be used. The message is one line for the user, and says what to do. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

/** The disk of the folder of an export has no space left. */
export class FolderFullError extends Error {
  override readonly name = 'FolderFullError';
}
