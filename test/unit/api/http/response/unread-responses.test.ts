import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { UnreadResponse, UnreadResponses } from '../../../../../api/http/response/unread-responses.ts';

describe('unread responses', () => {
  /** Responses of 40 bytes each, under limits of 100 bytes in all and 80 of a client. */
  function createResponses() {
    const responses = new UnreadResponses({ bytes: 100, bytesOfClient: 80 });
    const closed: string[] = [];
    const add = (name: string, client: string, queued = () => 40) => {
      const response = new UnreadResponse(client, 40, queued, () => closed.push(name));
      responses.add(response);
      return response;
    };
    return { add, closed, remove: (response: UnreadResponse) => responses.remove(response) };
  }

  it('stay open within the limits, and when earlier ones were read', () => {
    const { add, closed, remove } = createResponses();
    for (let n = 0; n < 10; n += 1) {
      const responses = [add('first', 'a'), add('second', 'a')];
      for (const response of responses) remove(response);
    }
    assert.deepEqual(closed, []);
  });

  it('of the client that exceeds its own limit are closed, the oldest of equally slow ones first', async () => {
    const { add, closed } = createResponses();
    add('a1', 'a');
    await sleep(5);
    add('a2', 'a');
    await sleep(5);
    add('a3', 'a');
    assert.deepEqual(closed, ['a1']);
  });

  it('of the slowest client are closed when all together exceed the limit', async () => {
    const { add, closed } = createResponses();
    let left = 40;
    add('steady', 'a', () => left);
    await sleep(5);
    add('unread', 'b');
    await sleep(5);
    left = 10;
    add('newest', 'c');
    assert.deepEqual(closed, ['unread']);
  });
});
