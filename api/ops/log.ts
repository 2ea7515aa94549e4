/** How every API key begins. It shows a reader of a log or a repository which service the key belongs to. */
export const KEY_PREFIX = 'hist_';

/** No key may reach a log. In a path any character can be percent-encoded, even more than once: `_`, `%5F`, `%255f`. */
const KEY_SPELLINGS = new RegExp(
  `${[...KEY_PREFIX].map(spellings).join('')}(?:[A-Za-z0-9_-]|%(?:25)*[0-9A-Fa-f]{2})+`,
  'g',
);

function spellings(character: string): string {
  const hex = Buffer.from(character).toString('hex').replace('f', '[Ff]');
  return `(?:${character}|%(?:25)*${hex})`;
}

type Write = (event: string, fields?: Readonly<Record<string, unknown>>) => void;
export type Log = { readonly info: Write; readonly warn: Write; readonly error: Write };

export function openLog(output: { write(line: string): unknown }): Log {
  const writeAs =
    (level: keyof Log): Write =>
    (event, fields = {}) => {
      const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...fields });
      output.write(`${line.replaceAll(KEY_SPELLINGS, `${KEY_PREFIX}…`)}\n`);
    };
  return { info: writeAs('info'), warn: writeAs('warn'), error: writeAs('error') };
}

/** An error with its stack and its causes, for a log. */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${formatError(error.cause)}`;
  return (error.stack ?? error.message) + cause;
}
