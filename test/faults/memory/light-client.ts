import { setTimeout as sleep } from 'node:timers/promises';
import { SMALL_PAGE, send } from '../clients/client.ts';

/** Asks for small pages until SIGTERM, and prints what it saw: `light-client.ts URL KEY`. */
const [url = '', key = ''] = process.argv.slice(2);
const waits: number[] = [];
const labels = new Set<string>();
let isDone = false;
process.on('SIGTERM', () => {
  isDone = true;
});
while (!isDone) {
  const { ms, label } = await send(url, { key, path: SMALL_PAGE, address: '127.0.4.200' });
  waits.push(ms);
  labels.add(label);
  await sleep(50);
}
const medianMs = waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)];
process.stdout.write(JSON.stringify({ medianMs, labels: [...labels] }));
