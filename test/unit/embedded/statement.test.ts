import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readStatement } from '../../../clickhouse/embedded/statement.ts';

describe('the first reading of a statement', () => {
  it('finds the verb behind blanks and comments', () => {
    assert.equal(readStatement('-- why\n /* how */ select 1').verb, 'SELECT');
    assert.equal(readStatement(' \n').verb, '');
    assert.equal(readStatement('(SELECT 1) FORMAT CSV').verb, '');
  });

  it('finds the format of an answer, with and without settings behind it', () => {
    assert.equal(readStatement('SELECT 1 FORMAT JSON').format, 'JSON');
    assert.equal(readStatement('SELECT 1 format CSV SETTINGS max_threads = 1').format, 'CSV');
    assert.equal(readStatement('SELECT 1 FORMAT JSONEachRow;').format, 'JSONEachRow');
    assert.equal(readStatement('SELECT 1').format, undefined);
  });

  it('is not misled by quoted text, comments, columns or subqueries that speak of a format', () => {
    assert.equal(readStatement("SELECT 'it''s \\' FORMAT CSV'").format, undefined);
    assert.equal(readStatement('SELECT 1 FORMAT JSON -- FORMAT CSV').format, 'JSON');
    assert.equal(readStatement('SELECT format FROM t').format, undefined);
    assert.equal(readStatement('SELECT a AS format, b').format, undefined);
    assert.equal(readStatement('SELECT a FROM t ORDER BY format, b').format, undefined);
    assert.equal(readStatement('SELECT `a FORMAT b` FROM t').format, undefined);
    assert.equal(readStatement('SELECT $x$ FORMAT CSV $x$').format, undefined);
    assert.equal(readStatement('SELECT (SELECT 1 FORMAT CSV)').format, undefined);
  });

  it('tells one statement from several', () => {
    assert.equal(readStatement('SELECT 1; ').several, false);
    assert.equal(readStatement('SELECT 1; -- done').several, false);
    assert.equal(readStatement("SELECT ';'").several, false);
    assert.equal(readStatement('SELECT 1; SELECT 2').several, true);
  });

  it('finds the clauses that reach for files, not the columns of that name', () => {
    assert.equal(readStatement("SELECT 1 INTO OUTFILE '/tmp/x' FORMAT CSV").file, 'INTO OUTFILE');
    assert.equal(readStatement("INSERT INTO t FROM INFILE '/etc/passwd' FORMAT CSV").file, 'FROM INFILE');
    assert.equal(readStatement('SELECT outfile, infile FROM t').file, undefined);
  });

  it('finds where the data of an insert begins: after one line feed, or after VALUES', () => {
    const csv = 'INSERT INTO t (a, b) FORMAT CSV \n\n1,2';
    assert.equal(csv.slice(readStatement(csv).data?.begin), '\n1,2');
    const values = "INSERT INTO t VALUES (1, ';'); DROP TABLE t";
    assert.equal(values.slice(readStatement(values).data?.begin), " (1, ';'); DROP TABLE t");
    assert.equal(readStatement(values).format, 'Values');
  });

  it('finds where a file could take the place of the data: before settings and format', () => {
    const text = 'INSERT INTO t (a) SETTINGS async_insert = 0 FORMAT CSV\n1';
    assert.equal(text.slice(readStatement(text).data?.infile), 'SETTINGS async_insert = 0 FORMAT CSV\n1');
  });

  it('reads tables and columns named like keywords', () => {
    assert.equal(readStatement('INSERT INTO format FORMAT CSV\n1').format, 'CSV');
    assert.equal(readStatement('INSERT INTO db.values FORMAT CSV\n1').format, 'CSV');
    assert.equal(readStatement('INSERT INTO TABLE settings FORMAT CSV\n1').format, 'CSV');
    assert.equal(readStatement('INSERT INTO t (format, `values`) FORMAT CSV\n1').format, 'CSV');
  });

  it('leaves an insert from a query to the engine', () => {
    assert.equal(readStatement('INSERT INTO t SELECT 1').data, undefined);
    const input = "INSERT INTO t SELECT * FROM input('a Int8') FORMAT CSV\n1";
    const { data } = readStatement(input);
    assert.equal(data?.infile, undefined);
    assert.equal(input.slice(data?.begin), '1');
  });

  it('counts bytes where the text is the Latin-1 view of UTF-8', () => {
    const bytes = Buffer.from('INSERT INTO `größe` FORMAT CSV\nü');
    const { data } = readStatement(bytes.toString('latin1'));
    assert.equal(bytes.subarray(data?.begin).toString(), 'ü');
  });
});
