import assert from 'node:assert/strict';
import { clientTypes } from '../../../../api/docs/client-types.ts';

describe('types of the client', () => {
  it('are those of the answers and of the parameters, with units', () => {
    const types = clientTypes();
    for (const line of [
      'export type Observation = {\n  /** Opaque',
      '  data: Observation[];\n',
      '  parseStatus: ("parsed" | "failed" | "raw_only");\n',
      '  /** wind direction; calm is 0, north is 360; absent when variable [degrees true] */\n  wdir?: number;\n',
      '  wdir_vrb?: true;\n',
      '    cover: ("FEW" | "SCT"',
      '  limitPerSecond: (1 | 10 | 100);\n',
      '  temp_c?: number;\n',
      '  [name: string]: number | string | undefined;\n',
      '  readonly from: string | Date;\n',
      '  readonly include?: readonly ("raw" | "decoded")[] | undefined;\n',
      '  readonly stations?: readonly string[] | undefined;\n',
      '  readonly limit?: number | undefined;\n',
    ])
      assert.ok(types.includes(line), line);
    assert.doesNotMatch(types, /: (unknown|object)/);
  });
});
