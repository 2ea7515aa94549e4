import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fillSql, namedStatements, readStatement } from '../../../../clickhouse/statements/sql.ts';

const CLICKHOUSE = new URL('../../../../clickhouse/', import.meta.url);
const readSource = (path: string) => readFileSync(new URL(path, CLICKHOUSE), 'utf8');

describe('named SQL statement', () => {
  it('is what stands below its name, with the comment that says why', () => {
    assert.deepEqual(
      [...namedStatements('topic', '-- name: one\n-- Why.\nSELECT 1\n\n-- name: two\nSELECT 2\n')],
      [
        ['topic/one', '-- Why.\nSELECT 1\n'],
        ['topic/two', 'SELECT 2\n'],
      ],
    );
  });

  it('is refused with a name that another one has, or that none has', () => {
    assert.throws(() => namedStatements('topic', '-- name: one\n1\n-- name: one\n2\n'), /named topic\/one/);
    assert.throws(() => readStatement('server/nothing'), /named server\/nothing/);
  });

  it('is read by some module, which names none that is not there', () => {
    const modules = readdirSync(CLICKHOUSE, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const calls = modules.flatMap((file) => [
      ...readSource(file).matchAll(/(?:readStatement|namedStatement)\(\s*['`]([^'`]+)['`]/g),
    ]);
    for (const [, path = ''] of calls) if (!path.includes('$')) readStatement(path);
    const read = calls.map(([, path = '']) => new RegExp(`^${path.replace(/\$\{\w+\}/g, '\\w+')}$`));
    for (const file of readdirSync(new URL('queries/', CLICKHOUSE))) {
      for (const path of namedStatements(file.replace('.sql', ''), readSource(`queries/${file}`)).keys()) {
        assert.ok(
          read.some((pattern) => pattern.test(path)),
          path,
        );
      }
    }
  });
});

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
