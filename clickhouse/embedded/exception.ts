/** A failure in ClickHouse's own terms: a client finds the number in a header, the rest in the body. */
export class ClickHouseException extends Error {
  constructor(code: number, name: string, reason: string) {
    super(`Code: ${code}. DB::Exception: ${reason}. (${name})`);
    this.name = 'ClickHouseException';
  }
}

export type Failure = {
  readonly code: number;
  readonly status: number;
  /** The line that a ClickHouse server sends as the body. */
  readonly message: string;
};

/** Any error as a ClickHouse server would send it. */
export function describeFailure(error: unknown, version: string): Failure {
  const text = error instanceof Error ? error.message : String(error);
  const [prefix, code] = /^(?:Code: (\d+)\. DB::Exception: )+/.exec(text) ?? [];
  if (prefix === undefined) {
    const message = `Code: 1002. DB::Exception: ${text}. (UNKNOWN_EXCEPTION) (version ${version})\n`;
    return { code: 1002, status: 500, message };
  }
  // chDB wraps an exception up to three times over: "Code: 73. DB::Exception: Code: 73. DB::Exception: Unknown
  // format FOO. (UNKNOWN_FORMAT) (version 26.7.2.1). (UNKNOWN_FORMAT)". A server says each part once.
  const name = /\(([A-Z][A-Z0-9_]+)\)\s*$/.exec(text)?.[1] ?? 'UNKNOWN_EXCEPTION';
  const wrapping = new RegExp(`(?:\\s*\\(version [^)]*\\)\\.?|\\s*\\(${name}\\)\\.?)+\\s*$`);
  const reason = text.slice(prefix.length).replace(wrapping, '');
  const message = `Code: ${code}. DB::Exception: ${reason} (${name}) (version ${version})\n`;
  return { code: Number(code), status: statusByName.get(name) ?? 500, message };
}

/** As ClickHouse's `exceptionCodeToHTTPStatus` has it; whatever it does not name is a 500. */
const statusByName: ReadonlyMap<string, number> = new Map([
  ['REQUIRED_PASSWORD', 401],
  ...named(403, 'UNKNOWN_USER WRONG_PASSWORD AUTHENTICATION_FAILED SET_NON_GRANTED_ROLE ACCESS_DENIED'),
  ...named(
    400,
    `BAD_ARGUMENTS CANNOT_COMPILE_REGEXP CANNOT_PARSE_TEXT CANNOT_PARSE_ESCAPE_SEQUENCE
     CANNOT_PARSE_QUOTED_STRING CANNOT_PARSE_DATE CANNOT_PARSE_DATETIME CANNOT_PARSE_NUMBER
     CANNOT_PARSE_DOMAIN_VALUE_FROM_STRING CANNOT_PARSE_IPV4 CANNOT_PARSE_IPV6
     CANNOT_PARSE_INPUT_ASSERTION_FAILED CANNOT_PARSE_UUID DUPLICATE_COLUMN ILLEGAL_COLUMN
     UNKNOWN_ELEMENT_IN_AST UNKNOWN_TYPE_OF_AST_NODE THERE_IS_NO_COLUMN TOO_DEEP_AST TOO_BIG_AST
     UNEXPECTED_AST_STRUCTURE SYNTAX_ERROR INCORRECT_DATA TYPE_MISMATCH VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE`,
  ),
  ...named(
    404,
    `UNKNOWN_TABLE UNKNOWN_FUNCTION UNKNOWN_IDENTIFIER UNKNOWN_TYPE UNKNOWN_STORAGE UNKNOWN_DATABASE
     UNKNOWN_SETTING UNKNOWN_DIRECTION_OF_SORTING UNKNOWN_AGGREGATE_FUNCTION UNKNOWN_FORMAT
     UNKNOWN_DATABASE_ENGINE UNKNOWN_TYPE_OF_QUERY UNKNOWN_ROLE SESSION_NOT_FOUND`,
  ),
  ['TIMEOUT_EXCEEDED', 408],
  ['HTTP_LENGTH_REQUIRED', 411],
  ['QUERY_IS_TOO_LARGE', 413],
  ['UNSUPPORTED_MEDIA_TYPE', 415],
  ['NOT_IMPLEMENTED', 501],
  ...named(503, 'SOCKET_TIMEOUT CANNOT_OPEN_FILE CANNOT_SCHEDULE_TASK'),
]);

function named(status: number, names: string): [string, number][] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => [name, status]);
}
