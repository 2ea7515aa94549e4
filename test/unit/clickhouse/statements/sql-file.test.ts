import assert from 'node:assert/strict';
import { fillSql } from '../../../../clickhouse/statements/sql-file.ts';

describe('SQL template', () => {
  it('gets each clause in every place of its name', () => {
    assert.equal(
      fillSql('SELECT $what FROM t WHERE $what > 0 $more', { what: 'a', more: '' }),
      'SELECT a FROM t WHERE a > 0 ',
    );
  });

  it('takes a clause as it is, with characters that String.replace would expand', () => {
    assert.equal(fillSql('SELECT $what', { what: "'$& $1'" }), "SELECT '$& $1'");
  });

  it('is refused with a name that has no clause', () => {
    assert.throws(() => fillSql('SELECT $what FROM $table', { what: '1' }), /no clause for \$table/);
  });

  it('is refused with a clause that has no place', () => {
    assert.throws(() => fillSql('SELECT $what', { what: '1', tabel: 't' }), /does not contain \$tabel/);
  });
});
