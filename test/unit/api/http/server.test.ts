import assert from 'node:assert/strict';
import { maxConnections } from '../../../../api/http/server.ts';
import { openLog } from '../../../../api/ops/log.ts';

describe('the number of connections', () => {
  for (const [openFiles, connections] of [
    [128, 32],
    [1024, 928],
    [20, 1],
    [4192, 4096],
    [1_048_576, 4096],
  ] as const)
    it(`is ${connections} where ${openFiles} files may be open`, () => {
      const lines: string[] = [];
      const log = openLog({ write: (line) => lines.push(line) });
      assert.equal(maxConnections(log, openFiles), connections);
      const [warning] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      if (connections === 4096) assert.equal(warning, undefined);
      else {
        assert.equal(warning?.remedy, 'ulimit -n 4192');
        assert.equal(warning.limit, openFiles);
      }
    });
});
