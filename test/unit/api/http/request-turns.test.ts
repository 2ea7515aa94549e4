import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { refusedRequests } from '../../../../api/http/http-request.ts';
import { takeTurns } from '../../../../api/http/request-turns.ts';

describe('turns of requests', () => {
  /** Requests by the name of their client and a number, in the order in which they were handled. */
  function observed() {
    const handled: string[] = [];
    const requests = new Map<IncomingMessage, { readonly name: string; whenHandled(): void }>();
    const turns = takeTurns((request) => {
      const known = requests.get(request);
      handled.push(`${known?.name}${refusedRequests.has(request) ? ' refused' : ''}`);
      known?.whenHandled();
    });
    const add = (client: string, number: number, whenHandled = () => {}) => {
      const request = { headers: { authorization: client } } as IncomingMessage;
      requests.set(request, { name: `${client}${number}`, whenHandled });
      turns.add(request, {} as Parameters<RequestListener>[1]);
    };
    const untilHandled = async (count: number) => {
      while (handled.length < count) await turn();
    };
    return { turns, handled, add, untilHandled };
  }

  it('are those of the clients, each in the order of arrival', async () => {
    const { handled, add, untilHandled } = observed();
    for (const client of ['a', 'b', 'c']) for (const number of [1, 2, 3]) add(client, number);
    await untilHandled(9);
    assert.deepEqual(handled, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3']);
  });

  it('come to a client with one request after one turn of each other client at most', async () => {
    const { handled, add, untilHandled } = observed();
    for (const client of ['a', 'b', 'c', 'd']) {
      add(client, 1);
      add(client, 2, () => client === 'a' && add('light', 1));
      add(client, 3);
    }
    await untilHandled(13);
    assert.ok(handled.indexOf('light1') - handled.indexOf('a2') <= 5, handled.join());
  });

  it('come to those who wait also while there is always a new client', async () => {
    const { handled, add, untilHandled } = observed();
    let clients = 0;
    const addNew = () => {
      if (clients < 60) add(`new${clients++} `, 1, addNew);
    };
    for (let n = 0; n < 5; n += 1) addNew();
    for (const number of [1, 2, 3]) add('a', number);
    await untilHandled(40);
    assert.deepEqual(
      handled.filter((name) => name.startsWith('a')),
      ['a1', 'a2', 'a3'],
    );
  });

  it('are given to a thousand: beyond, the newest of the client with most of them is refused', async () => {
    const { handled, add, untilHandled } = observed();
    for (let number = 0; number < 1002; number += 1) add('many', number);
    add('one', 0);
    assert.deepEqual(handled, ['many1000 refused', 'many1001 refused', 'many999 refused']);
    await untilHandled(1003);
    assert.equal(handled.filter((name) => name.endsWith('refused')).length, 3);
    assert.ok(handled.indexOf('one0') < 6);
  });
});
