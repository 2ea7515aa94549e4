import assert from 'node:assert/strict';
import { ask, isAlive, recordOf, until } from '../../../support/engine/engine.ts';
import { itLong } from '../../../support/long.ts';
import { newFolder } from '../../../support/test-run.ts';
import { useEngines } from './engines.ts';

describe('the embedded engine when it is frozen', () => {
  let dataDir: string;
  let logged: string[];
  beforeEach(() => {
    dataDir = newFolder();
    logged = [];
  });
  const joinWith = useEngines();

  const joinIt = (silenceLimit = 60_000) =>
    joinWith({ dataDir, silenceLimit, log: (line) => logged.push(line) });
  const count = (pattern: RegExp) => logged.filter((line) => pattern.test(line)).length;

  itLong(
    'one member replaces it after the limit, and a program that starts meanwhile joins the new one',
    async () => {
      // A ping fails 5 to 7 s after the last answer, and every 7 s another one. The third one that fails ends the engine: by
      // then the program that starts meanwhile has given up its first attempt, of 10 s at most, and says that it waits.
      const { url } = await joinIt(16_000);
      await joinIt(16_000);
      await ask(url, 'CREATE TABLE default.t (a Int8) ENGINE = MergeTree ORDER BY a');
      const { pid } = await recordOf(dataDir);
      process.kill(pid, 'SIGSTOP');
      const frozenAt = performance.now();
      const late = await joinIt(16_000);
      const seconds = (performance.now() - frozenAt) / 1000;
      assert.ok(seconds > 8, `${seconds} s`);
      assert.equal(late.url, url);
      assert.equal(await ask(url, 'EXISTS default.t'), '1');
      await until(() => !isAlive(pid));
      assert.ok(count(/has not answered for [1-5]\d s; ending it/) > 0, logged.join('\n'));
      assert.equal(count(new RegExp(`waiting .*process ${pid} does not answer`)), 1, logged.join('\n'));
      await until(() => count(/serves again on port/) === 2);
    },
  );

  it('it is ended by a program that leaves, which does not wait for the limit, and replaced where others use it', async () => {
    const first = await joinIt();
    const last = await joinIt();
    for (const member of [first, last]) {
      const { pid } = await recordOf(dataDir);
      process.kill(pid, 'SIGSTOP');
      await member.leave();
      assert.equal(count(/has not answered/), 0, logged.join('\n'));
      await until(() => !isAlive(pid));
      if (member === first) await until(() => count(/serves again on port/) === 1);
    }
    assert.equal(await ask((await joinIt()).url, 'SELECT 1'), '1');
  });
});
