import type { IncomingMessage } from 'node:http';
import { ClickHouseException } from './exception.ts';

/** One call of the HTTP interface, its body not yet read. */
export type Request = {
  /** The `query` parameter; the body continues it. */
  readonly query: string;
  readonly database: string | undefined;
  readonly format: string | undefined;
  readonly roles: readonly string[];
  readonly session: Session | undefined;
  /** Settings for the engine, in the order given. */
  readonly settings: ReadonlyMap<string, string>;
  /** Values of `{name:Type}` placeholders. */
  readonly parameters: ReadonlyMap<string, string>;
  /** What only an HTTP server can heed. */
  readonly wholeBeforeHeaders: boolean;
  /** A GET may not write. */
  readonly readOnly: boolean;
};

export type Session = { readonly id: string; readonly timeoutSeconds: number; readonly mustExist: boolean };

/** Parameters of the interface itself; every other name is a setting. */
const ownParameters = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'role',
  'session_id',
  'session_timeout',
  'session_check',
  'user',
  'password',
  'quota_key',
  'buffer_size',
]);

/** Settings that an HTTP server heeds and the engine behind it has no use for. */
const serverSettings = new Set([
  'enable_http_compression',
  'http_zlib_compression_level',
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'cancel_http_readonly_queries_on_client_close',
]);

/** The URL of a request. Some request targets, `//` for one, are none by themselves: after a host all are. */
export function targetOf(message: IncomingMessage): URL {
  return new URL(`http://localhost/${(message.url ?? '').replace(/^\//, '')}`);
}

/** Reads what URL and headers say; `form` holds the parameters of a multipart body. */
export function readRequest(
  message: IncomingMessage,
  form: ReadonlyMap<string, string> = new Map(),
): Request {
  const { searchParams } = targetOf(message);
  for (const [name, value] of form) if (!searchParams.has(name)) searchParams.append(name, value);
  checkCredentials(message, searchParams);
  const settings = new Map<string, string>();
  const parameters = new Map<string, string>();
  for (const [name, value] of searchParams) {
    if (name.startsWith('param_')) parameters.set(name.slice('param_'.length), value);
    else if (!ownParameters.has(name) && !serverSettings.has(name)) settings.set(name, value);
  }
  const isOn = (name: string) => /^(1|true)$/i.test(searchParams.get(name) ?? '');
  const header = (name: string) => message.headers[name]?.toString();
  const session = searchParams.get('session_id');
  return {
    query: searchParams.get('query') ?? '',
    database: searchParams.get('database') || header('x-clickhouse-database'),
    format: searchParams.get('default_format') ?? header('x-clickhouse-format'),
    roles: searchParams.getAll('role'),
    session: session
      ? {
          id: session,
          timeoutSeconds: sessionTimeout(searchParams.get('session_timeout')),
          mustExist: isOn('session_check'),
        }
      : undefined,
    settings,
    parameters,
    wholeBeforeHeaders: isOn('wait_end_of_query'),
    readOnly: message.method === 'GET',
  };
}

function sessionTimeout(text: string | null): number {
  if (text === null) return 60;
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds > 3600) {
    throw new ClickHouseException(374, 'INVALID_SESSION_TIMEOUT', `Invalid session timeout: '${text}'`);
  }
  return seconds;
}

/** There is one user, `default`, without a password, as on a server just installed. */
function checkCredentials(message: IncomingMessage, searchParams: URLSearchParams): void {
  const authorization = message.headers.authorization ?? '';
  const [, basic] = /^Basic +(.*)$/i.exec(authorization) ?? [];
  const [, basicUser, basicPassword] =
    /^([^:]*):?(.*)$/s.exec(Buffer.from(basic ?? '', 'base64').toString()) ?? [];
  const user =
    message.headers['x-clickhouse-user']?.toString() ??
    (basicUser || (searchParams.get('user') ?? 'default'));
  const password =
    message.headers['x-clickhouse-key']?.toString() ??
    (basicPassword || (searchParams.get('password') ?? ''));
  if (user === 'default' && password === '' && (authorization === '' || basic !== undefined)) return;
  throw new ClickHouseException(
    516,
    'AUTHENTICATION_FAILED',
    `${user}: Authentication failed: password is incorrect, or there is no user with such name`,
  );
}
