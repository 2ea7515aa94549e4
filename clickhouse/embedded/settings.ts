import { ClickHouseException } from './exception.ts';
import type { Request } from './request.ts';

/**
 * The statements that put a connection into the state a request asks for, as one text.
 * `log_comment` carries the query id, which chDB gives no way to set: by it a running query is found again.
 */
export function preamble(request: Request, queryId: string): string {
  const statements: string[] = [];
  if (request.database) statements.push(`USE ${quoteName(request.database)}`);
  if (request.roles.length > 0) statements.push(`SET ROLE ${request.roles.map(quoteName).join(', ')}`);
  const assignments = [...request.settings].map(([name, value]) => `${settingName(name)} = ${quote(value)}`);
  if (!request.settings.has('log_comment')) assignments.unshift(`log_comment = ${quote(queryId)}`);
  for (const [name, value] of request.parameters) {
    assignments.push(`param_${settingName(name)} = ${quote(value)}`);
  }
  statements.push(`SET ${assignments.join(', ')}`);
  return statements.join('; ');
}

/**
 * Takes back what `preamble` has set, where the connection lives on as a session. Run after a failure too:
 * chDB may keep what the failed statement had printed, and the next statement, this one, would bring it.
 */
export function restore(request: Request): string {
  const names = ['log_comment', ...request.settings.keys()];
  return `SET ${names.map((name) => `${settingName(name)} = DEFAULT`).join(', ')}`;
}

export function quote(value: string): string {
  return `'${value.replace(/['\\]/g, '\\$&').replaceAll('\0', '\\0')}'`;
}

function quoteName(name: string): string {
  return `\`${name.replace(/[`\\]/g, '\\$&')}\``;
}

function settingName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw new ClickHouseException(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'`);
}
