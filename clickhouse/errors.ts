import { ClickHouseError } from '@clickhouse/client';

/** Something else than ClickHouse has answered, or an answer of ClickHouse has lost its end. */
export class InvalidAnswerError extends Error {
  override readonly name = 'InvalidAnswerError';
  readonly code = 'INVALID_ANSWER';
}

/** Why a query failed, if the caller can act on it. */
type StorageFailure = 'unavailable' | 'overloaded' | 'timeout' | 'unknown';

// Codes of ClickHouse's src/Common/ErrorCodes.cpp.
const FAILURE_OF_CODE: Readonly<Record<string, StorageFailure>> = {
  '159': 'timeout', // TIMEOUT_EXCEEDED
  '160': 'timeout', // TOO_SLOW
  '158': 'timeout', // TOO_MANY_ROWS: over the limits of the reader's profile
  '307': 'timeout', // TOO_MANY_BYTES
  '202': 'overloaded', // TOO_MANY_SIMULTANEOUS_QUERIES
  '241': 'overloaded', // MEMORY_LIMIT_EXCEEDED
  '201': 'overloaded', // QUOTA_EXCEEDED
  '252': 'overloaded', // TOO_MANY_PARTS
  '745': 'overloaded', // SERVER_OVERLOADED
  '209': 'unavailable', // SOCKET_TIMEOUT
  '210': 'unavailable', // NETWORK_ERROR
  '225': 'unavailable', // NO_ZOOKEEPER
  '242': 'unavailable', // TABLE_IS_READ_ONLY
  '279': 'unavailable', // ALL_CONNECTION_TRIES_FAILED
  '285': 'unavailable', // TOO_FEW_LIVE_REPLICAS
  '286': 'unavailable', // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  '289': 'unavailable', // REPLICA_IS_NOT_IN_QUORUM
  '319': 'unavailable', // UNKNOWN_STATUS_OF_INSERT: a slice that is loaded again stores each report once
  '369': 'unavailable', // ALL_REPLICAS_ARE_STALE
  '519': 'unavailable', // NO_REMOTE_SHARD_AVAILABLE
  '999': 'unavailable', // KEEPER_EXCEPTION
  '516': 'unavailable', // AUTHENTICATION_FAILED
  '60': 'unavailable', // UNKNOWN_TABLE: a table is missing between its DROP and its RESTORE
  '81': 'unavailable', // UNKNOWN_DATABASE
  '218': 'unavailable', // TABLE_IS_DROPPED
};

/** ATTEMPT_TO_READ_AFTER_EOF, CANNOT_READ_ALL_DATA: also of a damaged part, but then not of a packet. */
const CUT_SHORT_CODES = new Set(['32', '33']);
const FROM_OTHER_SERVER = /while receiving packet from/;

/**
 * What a wrong bit leads to: CHECKSUM_DOESNT_MATCH, LOGICAL_ERROR, FILE_DOESNT_EXIST, INCORRECT_DATA, TOO_LARGE_ARRAY_SIZE,
 * TOO_LARGE_STRING_SIZE, CANNOT_ALLOCATE_MEMORY, BAD_SIZE_OF_FILE_IN_DATA_PART, CORRUPTED_DATA, CANNOT_DECOMPRESS, UNKNOWN_CODEC
 */
const DAMAGED = new Set([...CUT_SHORT_CODES, ...'40 49 107 117 128 131 173 228 246 271 432'.split(' ')]);
/** With a wrong number of rows ClickHouse wanted 128 PiB for a column (MEMORY_LIMIT_EXCEEDED). */
const ABSURD_SIZE = /allocate chunk of [\d.]+ [TPE]iB/;
/** Or it took what follows a column for its values. */
const IMPOSSIBLE_VALUE = /^Unexpected value -?\d+ in enum/;
/** The file of a part, or its name. */
const OF_A_PART = /\/store\/[0-9a-f]{3}\/|while reading (?:from )?part /i;

const ACCESS_DENIED = new Set(['164', '452', '497']); // READONLY, SETTING_CONSTRAINT_VIOLATION, ACCESS_DENIED

/** A server that answers with one of these cannot write: it has lost Keeper. */
const LOST_KEEPER = new Set(['225', '242', '999']); // NO_ZOOKEEPER, TABLE_IS_READ_ONLY, KEEPER_EXCEPTION

/** Nothing reached the server, so the statement can go to another one. */
export const NOT_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];

/** A SELECT can also be retried after a reset, often of an idle connection to a server that has stopped. */
export const NOT_ANSWERED = [...NOT_CONNECTED, 'ECONNRESET', 'EPIPE', 'INVALID_ANSWER'];

export function storageFailure(error: unknown): StorageFailure {
  if (error instanceof ClickHouseError) {
    // Another server of the cluster was killed while it answered.
    const isCut = CUT_SHORT_CODES.has(error.code) && FROM_OTHER_SERVER.test(error.message);
    return isCut || isDamagedPart(error) ? 'unavailable' : (FAILURE_OF_CODE[error.code] ?? 'unknown');
  }
  if (!(error instanceof Error)) return 'unknown';
  if (hasCode(error, [...NOT_ANSWERED, 'ETIMEDOUT'])) return 'unavailable';
  if (/socket hang up|socket closed/i.test(error.message)) return 'unavailable';
  if (/timeout error/i.test(error.message)) return 'timeout';
  return error.cause === undefined ? 'unknown' : storageFailure(error.cause);
}

export function isDamagedPart(error: unknown): boolean {
  if (!(error instanceof ClickHouseError) || FROM_OTHER_SERVER.test(error.message)) return false;
  const { code, message } = error;
  if (IMPOSSIBLE_VALUE.test(message)) return true;
  const isDamage = DAMAGED.has(code) || (code === '241' && ABSURD_SIZE.test(message));
  return isDamage && OF_A_PART.test(message);
}

export function isLoginRefused(error: unknown): boolean {
  if (error instanceof ClickHouseError) return error.code === '516';
  return error instanceof Error && error.cause !== undefined && isLoginRefused(error.cause);
}

export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Whether the server answered, even with an error: then it is not silent. */
export function isAnswerOfServer(error: unknown): boolean {
  return error instanceof ClickHouseError && !isOtherServerUnavailable(error);
}

/** Whether the server responded that it cannot reach another one. */
export function isOtherServerUnavailable(error: unknown): boolean {
  return error instanceof ClickHouseError && storageFailure(error) === 'unavailable' && !isDamagedPart(error);
}

/** Whether the server that got the statement cannot be used: it did not answer, or it has lost Keeper. */
export function isServerDown(error: unknown): boolean {
  if (error instanceof ClickHouseError) return LOST_KEEPER.has(error.code);
  return storageFailure(error) === 'unavailable';
}

export function isAccessDenied(error: unknown): boolean {
  return error instanceof ClickHouseError && ACCESS_DENIED.has(error.code);
}

export function isLimitOfGroups(error: unknown): boolean {
  // TOO_MANY_ROWS
  return error instanceof ClickHouseError && error.code === '158' && /GROUP BY/i.test(error.message);
}

/** UNKNOWN_FUNCTION, UNKNOWN_IDENTIFIER, SYNTAX_ERROR, UNKNOWN_SETTING: our mistakes */
const MISTAKEN = new Set(['46', '47', '62', '115']);

export function isUnreadableFile(error: unknown): boolean {
  if (isDiskFull(error) || !(error instanceof ClickHouseError)) return false;
  const { code } = error;
  return storageFailure(error) === 'unknown' && !ACCESS_DENIED.has(code) && !MISTAKEN.has(code);
}

/** Whether a disk has no space left. ClickHouse reserves space for a part before writing it. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ClickHouseError && error.code === '243') return true; // NOT_ENOUGH_SPACE
  return /no space left on device/i.test(error.message) || isDiskFull(error.cause);
}
