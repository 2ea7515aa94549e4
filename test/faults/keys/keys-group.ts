import { randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKey } from '../../../api/auth/api-key.ts';
import { Answers } from '../clients/answers.ts';
import { OBSERVATIONS, send } from '../clients/client.ts';
import { atOnce } from '../clients/traffic.ts';
import type { Fault } from '../fault.ts';
import { type Service, startService } from '../service.ts';

export const startKeysGroup = (): Promise<Service> => startService();

export const KEY_FAULTS: readonly Fault<Service>[] = [
  {
    name: 'Forged keys',
    does: 'answers 401, then 429',
    action: '10,000 key records; 300 requests at once with unknown keys of the right form, five times',
    expect: {
      answers: ['401 invalid_credentials', '429 rate_limited'],
      required: ['401 invalid_credentials', '429 rate_limited'],
      longestWaitMs: 5000,
    },
    async run(service) {
      await addRecords(service, 10_000);
      const answers = new Answers();
      for (let round = 0; round < 5; round += 1)
        await atOnce(
          service.url,
          answers,
          Array.from({ length: 300 }, () => ({ key: generateKey(), path: OBSERVATIONS })),
        );
      return { answers, ...(await survival(service)) };
    },
  },
  {
    name: 'One valid key among many records',
    does: 'serves the key within its rate limit',
    action: '60,000 key records; 60 requests at once with one valid key, five times',
    expect: { answers: ['200', '429 rate_limited'], required: ['200'], longestWaitMs: 5000 },
    async run(service) {
      await addRecords(service, 50_000);
      const key = await service.createKey();
      const answers = new Answers();
      for (let round = 0; round < 5; round += 1)
        await atOnce(
          service.url,
          answers,
          Array.from({ length: 60 }, () => ({ key })),
        );
      return { answers, ...(await survival(service)) };
    },
  },
  {
    name: 'A key is revoked',
    does: 'refuses the next request',
    action: 'by the file of keys, between two requests; ten times',
    expect: {
      answers: ['200', '401 invalid_credentials', '429 rate_limited'],
      required: ['200', '401 invalid_credentials'],
      longestWaitMs: 2000,
    },
    async run(service) {
      const answers = new Answers();
      const breaches: string[] = [];
      for (let round = 0; round < 10; round += 1) {
        const before = new Set((await service.keys.list()).map(({ id }) => id));
        const key = await service.createKey();
        const [record] = (await service.keys.list()).filter(({ id }) => !before.has(id));
        answers.add(await send(service.url, { key }));
        await service.keys.revoke(record?.id ?? '');
        const next = answers.add(await send(service.url, { key }));
        if (next.status === 200) breaches.push('a revoked key was served');
      }
      return { answers, breaches };
    },
  },
  {
    name: 'A key in the URL',
    does: 'refuses it and does not log it',
    action: 'a key in the path and in the query, as it is and percent-encoded',
    expect: {
      answers: ['404 not_found', '400 invalid_parameter', '429 rate_limited', '401 missing_credentials'],
      longestWaitMs: 2000,
    },
    async run(service) {
      const key = await service.createKey();
      const secret = key.slice(5);
      const spellings = [
        key,
        key.replace('_', '%5F'),
        key.replace('_', '%5f'),
        key.replace('h', '%68'),
        percent(key),
      ];
      const answers = new Answers();
      for (const text of spellings)
        for (const path of [`/${text}`, `${OBSERVATIONS}?key=${text}`, `/a/${text}/b?${text}`])
          answers.add(await send(service.url, { path, address: '127.0.0.11' }));
      const isLogged = service.output().includes(secret) || service.output().includes(percent(secret));
      return { answers, breaches: isLogged ? ['the key is in the log'] : [] };
    },
  },
  {
    name: 'A key is copied by a double click',
    does: 'ends keys in a character that it selects',
    action: '5,000 new keys',
    expect: { answers: [], longestWaitMs: 0 },
    async run() {
      const wrong = Array.from({ length: 5000 }, generateKey).filter((key) => !/[A-Za-z0-9]$/.test(key));
      return {
        answers: new Answers(),
        notes: [`${wrong.length} of 5,000 do not`],
        breaches: wrong.length > 0 ? [`${wrong.length} keys end in - or _`] : [],
      };
    },
  },
];

async function addRecords({ dataDir }: Service, count: number): Promise<void> {
  const record = {
    account: 'faults',
    plan: 'starter',
    status: 'active',
    createdAt: new Date().toISOString(),
  };
  const lines = Array.from({ length: count }, () => {
    const id = randomBytes(6).toString('hex');
    const hash = randomBytes(32).toString('hex');
    return `\n${JSON.stringify({ hash, record: { id, ...record, prefix: 'hist_AAAA', last4: 'AAAA' } })}\n`;
  });
  await appendFile(join(dataDir, 'keys.jsonl'), lines.join(''));
}

async function survival(service: Service) {
  const megabytes = await service.residentMegabytes();
  return {
    notes: [`${megabytes} MB`],
    breaches: service.isRunning() ? [] : ['the process ended'],
  };
}

function percent(text: string): string {
  return [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
}
