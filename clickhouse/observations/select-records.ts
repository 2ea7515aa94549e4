import type { Select } from '../archive.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import {
  hiddenParams,
  type Printing,
  type Representations,
  readColumns,
  recordColumns,
  recordLine,
  withChosen,
} from './record-columns.ts';
import { bindSelection, orderOf, type RowSelection, selectedReports } from './selection.ts';

const SELECT_RECORDS = readStatement('observations/records');
const SELECT_COLUMNS = readStatement('observations/columns');

type PrintedSelection = RowSelection & Representations;

/**
 * Selects the current reports of a selection in the order of D12, each as a line of JSON. The statement has only the clauses
 * that a request needs: `raw` and `decoded` are wide columns, and even an always-true condition would cost a fifth of a page.
 *
 * @param format the name of the clause FORMAT, of one that prints the text as it is
 * @param rows maximum number of records
 */
export function selectRecordLines(selection: PrintedSelection, format: string, rows?: number): Select {
  const limit = rows === undefined ? '' : 'LIMIT {rows:UInt32}';
  const query = fillSql(SELECT_RECORDS, {
    chosen: withChosen(selection),
    record: recordLine(selection),
    reports: selectedReports(selection, limit),
    order: orderOf(selection),
    limit,
    format,
  });
  const params = { ...hiddenParams(selection.hidden, true), ...(rows !== undefined && { rows }) };
  return { query, ...bindSelection(selection, params) };
}

/** The same with a column for each value, as the engine prints them in a format, the name of its clause FORMAT. */
export function selectRecordColumns(selection: PrintedSelection, printing: Printing, format: string): Select {
  const query = fillSql(SELECT_COLUMNS, {
    columns: recordColumns(selection, printing).join(',\n    '),
    read: readColumns(selection)
      .map((column) => `, ${column}`)
      .join('\n        '),
    reports: selectedReports(selection),
    order: orderOf(selection),
    format,
  });
  return { query, ...bindSelection(selection, hiddenParams(selection.hidden)) };
}
