import { DrainingServer } from '../../../api/http/server.ts';
import { listenOnFreePort } from '../listen.ts';

const [stopsWanted, clients] = process.argv.slice(2).map(Number);

/**
 * Serves small answers on a new port until so many clients have asked, each with a path of its own, and a moment longer;
 * then it stops. Does so as often as the first argument says, and prints each port.
 */
for (let stops = stopsWanted ?? 0; stops > 0; stops -= 1) {
  const waiting = new Set(Array.from({ length: clients ?? 0 }, (_, n) => `/${n}`));
  let allHaveAsked = () => {};
  const asked = new Promise<void>((resolve) => (allHaveAsked = resolve));
  const server = new DrainingServer(({ url = '' }, response) => {
    if (waiting.delete(url) && waiting.size === 0) allHaveAsked();
    setTimeout(() => response.end('answer'), Math.random() * 5);
  }, {});
  process.stdout.write(`${await listenOnFreePort(server)}\n`);
  await asked;
  await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 100));
  await server.drain(5);
}
