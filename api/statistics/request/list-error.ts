/** A mistake in `select`, `by`, `preset` or `tz`. The message follows the name of the parameter. */
export class ListError extends Error {
  override readonly name = 'ListError';
}
